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

/// Settings of a traversal, by `g.with(name, value)` or else by the graph's configuration.
public final class Settings {
    /// Setting for a traversal whose conditions no index serves.
    public static final String UNINDEXED = "oriel.unindexed";

    /// Setting for the time limit of a traversal in milliseconds.
    public static final String TIMEOUT_MILLIS = "oriel.timeoutMillis";

    /// TinkerPop's name of the time limit.
    private static final String EVALUATION_TIMEOUT = "evaluationTimeout";

    private Settings() {}

    /// Action on a traversal that has to scan a label.
    public enum Unindexed {
        ALLOW,
        WARN,
        REFUSE;

        /// Acts if no index serves `conditions` on properties.
        ///
        /// @param conditions the unserved conditions; conditions on ids and labels are ignored
        /// @param elements "vertices" or "edges"
        /// @param asked the step or query, for the message
        /// @throws IllegalArgumentException if the scan is refused
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

        /// Acts on hops that scan edge tables.
        ///
        /// @param tables the tables, with the leading columns of the missing index
        /// @param asked the step, for the message
        /// @throws IllegalArgumentException if the scan is refused
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

    /// The setting of a graph.
    public static Unindexed unindexed(Configuration configuration) {
        return unindexed(configuration.getProperty(UNINDEXED));
    }

    private static Unindexed unindexed(@Nullable Object word) {
        return word == null ? Unindexed.ALLOW : Unindexed.of(word);
    }

    /// Time limit of `traversal` in milliseconds; 0 for none.
    ///
    /// @throws IllegalArgumentException if the setting is not a number of 0 or more
    public static long timeoutMillis(Traversal.Admin<?, ?> traversal) {
        return timeoutMillis(of(traversal, EVALUATION_TIMEOUT, TIMEOUT_MILLIS));
    }

    /// The setting of a graph.
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
