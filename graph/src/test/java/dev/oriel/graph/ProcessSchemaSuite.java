package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.junit.runner.RunWith;

/// TinkerPop's tests of traversals, over declared and indexed keys.
@RunWith(Suites.Traversals.class)
@GraphProviderClass(provider = SchemaProvider.class, graph = OrielGraph.class)
public class ProcessSchemaSuite {}
