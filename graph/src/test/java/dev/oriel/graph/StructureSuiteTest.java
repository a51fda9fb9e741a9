package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.junit.runner.RunWith;

/// TinkerPop's tests of the structure of a graph, in memory.
@RunWith(Suites.Structure.class)
@GraphProviderClass(provider = MemoryProvider.class, graph = OrielGraph.class)
public class StructureSuiteTest {}
