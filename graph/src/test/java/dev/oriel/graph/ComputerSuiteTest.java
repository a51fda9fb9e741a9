package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.junit.runner.RunWith;

/// TinkerPop's tests of the graph computer and of traversals that run on it, in memory.
@RunWith(Suites.Computer.class)
@GraphProviderClass(provider = ComputerProviders.InMemory.class, graph = OrielGraph.class)
public class ComputerSuiteTest {}
