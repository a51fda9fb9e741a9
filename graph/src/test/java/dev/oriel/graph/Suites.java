package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.GraphManager;
import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.apache.tinkerpop.gremlin.process.ProcessEmbeddedComputerSuite;
import org.apache.tinkerpop.gremlin.process.ProcessEmbeddedStandardSuite;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalEngine;
import org.apache.tinkerpop.gremlin.structure.StructureStandardSuite;
import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.Filterable;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runner.notification.RunNotifier;
import org.junit.runners.ParentRunner;
import org.junit.runners.model.InitializationError;
import org.junit.runners.model.RunnerBuilder;

/// TinkerPop's suites. Each sets static fields for its tests when it is constructed, but all suites are
/// constructed before the first one runs. These set the fields when they run, so that several suites can share one
/// JVM.
public final class Suites {
    private Suites() {}

    /// A suite, run unchanged after its fields have been set.
    public abstract static class Provided extends Runner implements Filterable {
        private final Class<?> tested;
        private final ParentRunner<?> suite;
        private final TraversalEngine.Type engine;

        Provided(Class<?> tested, ParentRunner<?> suite, TraversalEngine.Type engine) {
            this.tested = tested;
            this.suite = suite;
            this.engine = engine;
        }

        @Override
        public Description getDescription() {
            return suite.getDescription();
        }

        @Override
        public void filter(Filter filter) throws NoTestsRemainException {
            suite.filter(filter);
        }

        @Override
        public void run(RunNotifier notifier) {
            GraphProviderClass named = tested.getAnnotation(GraphProviderClass.class);
            try {
                GraphManager.setGraphProvider(
                        named.provider().getDeclaredConstructor().newInstance());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("No provider for " + tested.getName(), e);
            }
            GraphManager.setTraversalEngineType(engine);
            suite.run(notifier);
        }
    }

    /// The structure of a graph.
    public static final class Structure extends Provided {
        public Structure(Class<?> tested, RunnerBuilder builder) throws InitializationError {
            super(
                    tested,
                    new StructureStandardSuite(tested, builder),
                    TraversalEngine.Type.STANDARD);
        }
    }

    /// Traversals.
    public static final class Traversals extends Provided {
        public Traversals(Class<?> tested, RunnerBuilder builder) throws InitializationError {
            super(
                    tested,
                    new ProcessEmbeddedStandardSuite(tested, builder),
                    TraversalEngine.Type.STANDARD);
        }
    }

    /// Traversals and programs on the graph computer.
    public static final class Computer extends Provided {
        public Computer(Class<?> tested, RunnerBuilder builder) throws InitializationError {
            super(
                    tested,
                    new ProcessEmbeddedComputerSuite(tested, builder),
                    TraversalEngine.Type.COMPUTER);
        }
    }
}
