package dev.oriel.graph;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Stage;
import io.cucumber.guice.CucumberModules;
import org.apache.tinkerpop.gremlin.features.AbstractGuiceFactory;
import org.apache.tinkerpop.gremlin.features.World;

/// Provides the worlds to Cucumber, which creates its objects by Guice.
final class FeatureWorlds {
    private FeatureWorlds() {}

    private static final class Binding extends AbstractModule {
        private final World world;

        Binding(World world) {
            this.world = world;
        }

        @Override
        protected void configure() {
            bind(World.class).toInstance(world);
        }
    }

    abstract static class Factory extends AbstractGuiceFactory {
        Factory(World world) {
            super(
                    Guice.createInjector(
                            Stage.PRODUCTION,
                            CucumberModules.createScenarioModule(),
                            new Binding(world)));
        }
    }

    /// Graphs in memory, without a schema.
    public static final class InMemory extends Factory {
        public InMemory() {
            super(new GraphWorld());
        }
    }

    /// Graphs in memory whose keys are declared and indexed.
    public static final class WithSchema extends Factory {
        public WithSchema() {
            super(new GraphWorld.Declared());
        }
    }

    /// Graphs on the disk.
    public static final class OnDisk extends Factory {
        public OnDisk() {
            super(new GraphWorld.OnDisk());
        }
    }

    /// Graphs on the disk whose keys are declared and indexed.
    public static final class WithSchemaOnDisk extends Factory {
        public WithSchemaOnDisk() {
            super(new GraphWorld.DeclaredOnDisk());
        }
    }

    /// Graphs in memory whose traversals run on the graph computer.
    public static final class OnComputer extends Factory {
        public OnComputer() {
            super(new GraphWorld.OnComputer());
        }
    }
}
