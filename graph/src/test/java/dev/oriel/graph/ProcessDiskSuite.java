package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.junit.runner.RunWith;

/// TinkerPop's tests of traversals, on the disk.
@RunWith(Suites.Traversals.class)
@GraphProviderClass(provider = DiskProvider.class, graph = OrielGraph.class)
public class ProcessDiskSuite {}
