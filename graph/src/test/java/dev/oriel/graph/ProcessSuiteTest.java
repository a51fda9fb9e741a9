package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.junit.runner.RunWith;

/// TinkerPop's tests of traversals, in memory.
@RunWith(Suites.Traversals.class)
@GraphProviderClass(provider = MemoryProvider.class, graph = OrielGraph.class)
public class ProcessSuiteTest {}
