package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.junit.runner.RunWith;

/// TinkerPop's tests of the graph computer and of traversals that run on it, over declared and indexed keys on the disk.
@RunWith(Suites.Computer.class)
@GraphProviderClass(provider = ComputerProviders.WithSchemaOnDisk.class, graph = OrielGraph.class)
public class ComputerSchemaDiskSuite {}
