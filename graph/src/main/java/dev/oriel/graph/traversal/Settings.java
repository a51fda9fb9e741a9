package dev.oriel.graph.traversal;

import dev.oriel.graph.range.Conditions;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.OptionsStrategy;
import org.jspecify.annotations.Nullable;

/// What is configured for a traversal: by `g.with(name, value)`, else by the graph's configuration.
public final class Settings {
    /// What a traversal does where no index serves its conditions.
    public static final String UNINDEXED = "oriel.unindexed";

    /// How many milliseconds a traversal of a graph may take.
    public static final String TIMEOUT_MILLIS = "oriel.timeoutMillis";

    /// TinkerPop's own name for the time that a traversal may take.
    private static final String EVALUATION_TIMEOUT = "evaluationTimeout";

    private Settings() {}

    /// What is to be done where conditions are met by looking at all elements of a label.
    public enum Unindexed {
        ALLOW,
        WARN,
        REFUSE;

        /// Does it, where no index serves those of `conditions` that are on properties.
        ///
        /// @param elements whether vertices or edges, in words
        /// @param asked who asks for them
        /// @throws IllegalArgumentException if that is to be refused
        public void act(
                List<HasContainer> conditions, String label, String elements, Object asked) {
            List<HasContainer> missing =
                    conditions.stream().filter(Conditions::isOfProperty).toList();
            if (missing.isEmpty() || this == ALLOW) {
                return;
            }
            act(
                    "No index serves %s on the label %s, so all of its %s are looked at; make one, or set %s to allow. The step: %s"
                            .formatted(missing, label, elements, UNINDEXED, asked));
        }

        /// Does it for hops that read all of some tables of edges.
        ///
        /// @param tables with the columns that an index is to begin with
        /// @param asked the step
        /// @throws IllegalArgumentException if that is to be refused
        void actOnHops(Set<String> tables, Object asked) {
            act(
                    "No index begins with %s, so a hop reads all rows of the table for each vertex; make one, or set %s to allow. The step: %s"
                            .formatted(String.join(", ", tables), UNINDEXED, asked));
        }

        private void act(String said) {
            if (this == ALLOW) {
                return;
            }
            if (this == REFUSE) {
                throw new IllegalArgumentException(said);
            }
            System.getLogger("dev.oriel.graph").log(System.Logger.Level.WARNING, said);
        }

        /// @throws IllegalArgumentException if there is no such setting
        static Unindexed of(Object word) {
            for (Unindexed one : values()) {
                if (one.name().equals(word.toString().toUpperCase(Locale.ROOT))) {
                    return one;
                }
            }
            throw new IllegalArgumentException(
                    "%s is allow, warn or refuse, not %s".formatted(UNINDEXED, word));
        }
    }

    public static Unindexed unindexed(Traversal.Admin<?, ?> traversal) {
        return unindexed(of(traversal, UNINDEXED, UNINDEXED));
    }

    /// What is configured for all of a graph.
    public static Unindexed unindexed(Configuration configuration) {
        return unindexed(configuration.getProperty(UNINDEXED));
    }

    private static Unindexed unindexed(@Nullable Object word) {
        return word == null ? Unindexed.ALLOW : Unindexed.of(word);
    }

    /// How long `traversal` may take; 0 for as long as it takes.
    ///
    /// @throws IllegalArgumentException if that is set to something else
    public static long timeoutMillis(Traversal.Admin<?, ?> traversal) {
        return timeoutMillis(of(traversal, EVALUATION_TIMEOUT, TIMEOUT_MILLIS));
    }

    /// What is configured for all of a graph.
    public static long timeoutMillis(Configuration configuration) {
        return timeoutMillis(configuration.getProperty(TIMEOUT_MILLIS));
    }

    private static long timeoutMillis(@Nullable Object millis) {
        if (millis == null) {
            return 0;
        }
        try {
            long wanted = Long.parseLong(millis.toString());
            if (wanted >= 0) {
                return wanted;
            }
        } catch (NumberFormatException e) {
            throw notMillis(millis, e);
        }
        throw notMillis(millis, null);
    }

    private static IllegalArgumentException notMillis(Object given, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "%s and %s are milliseconds, 0 for no limit, not %s"
                        .formatted(EVALUATION_TIMEOUT, TIMEOUT_MILLIS, given),
                cause);
    }

    private static @Nullable Object of(
            Traversal.Admin<?, ?> traversal, String ofTraversal, String ofGraph) {
        OptionsStrategy options =
                traversal.getStrategies().getStrategy(OptionsStrategy.class).orElse(null);
        Object own = options == null ? null : options.getOptions().get(ofTraversal);
        if (own != null) {
            return own;
        }
        Configuration all = traversal.getGraph().orElseThrow().configuration();
        return all.getProperty(ofGraph);
    }
}
