package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.apache.tinkerpop.gremlin.structure.StructureStandardSuite;
import org.junit.runner.RunWith;

/// TinkerPop's tests of the structure of a graph, on the disk.
@RunWith(StructureStandardSuite.class)
@GraphProviderClass(provider = DiskProvider.class, graph = OrielGraph.class)
public class StructureDiskSuite {}
