package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.apache.tinkerpop.gremlin.process.ProcessEmbeddedStandardSuite;
import org.junit.runner.RunWith;

/// TinkerPop's tests of traversals, in memory.
@RunWith(ProcessEmbeddedStandardSuite.class)
@GraphProviderClass(provider = MemoryProvider.class, graph = OrielGraph.class)
public class ProcessSuiteTest {}
