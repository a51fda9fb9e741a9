package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.apache.tinkerpop.gremlin.process.ProcessEmbeddedStandardSuite;
import org.junit.runner.RunWith;

/// TinkerPop's tests of traversals, on the disk.
@RunWith(ProcessEmbeddedStandardSuite.class)
@GraphProviderClass(provider = DiskProvider.class, graph = OrielGraph.class)
public class ProcessDiskSuite {}
