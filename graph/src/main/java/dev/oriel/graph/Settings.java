package dev.oriel.graph;

import java.util.Locale;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.OptionsStrategy;
import org.jspecify.annotations.Nullable;

/// What is configured for a traversal: by `g.with(name, value)`, else by the graph's configuration.
final class Settings {
    /// TinkerPop's own name for the time that a traversal may take.
    private static final String EVALUATION_TIMEOUT = "evaluationTimeout";

    private Settings() {}

    /// What is to be done where conditions are met by looking at all elements of a label.
    enum Unindexed {
        ALLOW,
        WARN,
        REFUSE;

        /// @throws IllegalArgumentException if there is no such setting
        static Unindexed of(Object word) {
            for (Unindexed one : values()) {
                if (one.name().equals(word.toString().toUpperCase(Locale.ROOT))) {
                    return one;
                }
            }
            throw new IllegalArgumentException(
                    "%s is allow, warn or refuse, not %s".formatted(OrielGraph.UNINDEXED, word));
        }
    }

    static Unindexed unindexed(Traversal.Admin<?, ?> traversal) {
        Object word = of(traversal, OrielGraph.UNINDEXED, OrielGraph.UNINDEXED);
        return word == null ? Unindexed.ALLOW : Unindexed.of(word);
    }

    /// How long `traversal` may take; 0 for as long as it takes.
    ///
    /// @throws IllegalArgumentException if that is set to something else
    static long timeoutMillis(Traversal.Admin<?, ?> traversal) {
        Object millis = of(traversal, EVALUATION_TIMEOUT, OrielGraph.TIMEOUT_MILLIS);
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
                        .formatted(EVALUATION_TIMEOUT, OrielGraph.TIMEOUT_MILLIS, given),
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
