package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.junit.runner.RunWith;

/// TinkerPop's tests of the structure of a graph, over declared and indexed keys.
@RunWith(Suites.Structure.class)
@GraphProviderClass(provider = SchemaProvider.class, graph = OrielGraph.class)
public class StructureSchemaSuite {}
