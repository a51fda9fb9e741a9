package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.GraphManager;
import org.apache.tinkerpop.gremlin.GraphProvider;
import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.apache.tinkerpop.gremlin.process.ProcessEmbeddedComputerSuite;
import org.apache.tinkerpop.gremlin.process.ProcessEmbeddedStandardSuite;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalEngine;
import org.apache.tinkerpop.gremlin.structure.StructureStandardSuite;
import org.junit.runner.notification.RunNotifier;
import org.junit.runners.model.InitializationError;
import org.junit.runners.model.RunnerBuilder;

/// TinkerPop's suites. What they test stands in static fields, which each sets when it is made; all are made before
/// the first one runs. These set them when they run, so that several can be in one JVM.
public final class Suites {
    private Suites() {}

    private static void provide(Class<?> suite, TraversalEngine.Type engine) {
        GraphProviderClass named = suite.getAnnotation(GraphProviderClass.class);
        try {
            GraphProvider provider = named.provider().getDeclaredConstructor().newInstance();
            GraphManager.setGraphProvider(provider);
            GraphManager.setTraversalEngineType(engine);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("No provider for " + suite.getName(), e);
        }
    }

    /// The structure of a graph.
    public static final class Structure extends StructureStandardSuite {
        private final Class<?> suite;

        public Structure(Class<?> suite, RunnerBuilder builder) throws InitializationError {
            super(suite, builder);
            this.suite = suite;
        }

        @Override
        public void run(RunNotifier notifier) {
            provide(suite, TraversalEngine.Type.STANDARD);
            super.run(notifier);
        }
    }

    /// Traversals.
    public static final class Process extends ProcessEmbeddedStandardSuite {
        private final Class<?> suite;

        public Process(Class<?> suite, RunnerBuilder builder) throws InitializationError {
            super(suite, builder);
            this.suite = suite;
        }

        @Override
        public void run(RunNotifier notifier) {
            provide(suite, TraversalEngine.Type.STANDARD);
            super.run(notifier);
        }
    }

    /// Traversals and programs on the graph computer.
    public static final class Computer extends ProcessEmbeddedComputerSuite {
        private final Class<?> suite;

        public Computer(Class<?> suite, RunnerBuilder builder) throws InitializationError {
            super(suite, builder);
            this.suite = suite;
        }

        @Override
        public void run(RunNotifier notifier) {
            provide(suite, TraversalEngine.Type.COMPUTER);
            super.run(notifier);
        }
    }
}
