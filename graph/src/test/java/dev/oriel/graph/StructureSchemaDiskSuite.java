package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.junit.runner.RunWith;

/// TinkerPop's tests of the structure of a graph, over declared and indexed keys on the disk.
@RunWith(Suites.Structure.class)
@GraphProviderClass(provider = SchemaDiskProvider.class, graph = OrielGraph.class)
public class StructureSchemaDiskSuite {}
