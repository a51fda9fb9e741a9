package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.junit.runner.RunWith;

/// TinkerPop's tests of traversals, over declared and indexed keys on the disk.
@RunWith(Suites.Traversals.class)
@GraphProviderClass(provider = SchemaDiskProvider.class, graph = OrielGraph.class)
public class ProcessSchemaDiskSuite {}
