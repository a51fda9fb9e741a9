package dev.oriel.sql.bind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.syntax.Function;
import dev.oriel.table.definition.Catalog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Each function is nested in itself, in each of its first arguments. A binder that binds an argument twice takes twice
/// the time for each level: of thirty, it takes a thousand million times as long.
final class NestedCallsTest {
    private static final int LEVELS = 30;
    private static final long MILLIS_MAX = 5_000;
    private static final List<String> INNERMOST =
            List.of("1", "1.5", "'a'", "NULL", "?", "ARRAY[1]", "DATE '2024-02-29'", "JSON '{}'");

    /// Each call of them doubles the length of some texts: a constant one is computed when it is bound.
    private static final Set<Function> GROWING =
            EnumSet.of(
                    Function.QUOTE_LITERAL,
                    Function.QUOTE_NULLABLE,
                    Function.LIKE2REGEXP,
                    Function.SIMILAR_TO_ESCAPE,
                    Function.HEX);

    private static final List<String> BESIDE = List.of("1", "'a'", "NULL", "ARRAY[1]");

    private final AtomicReference<String> current = new AtomicReference<>("");

    @Test
    void eachArgumentIsBoundOnce() throws InterruptedException {
        List<String> bound = new ArrayList<>();
        List<String> late = new ArrayList<>();
        List<Throwable> failed = Collections.synchronizedList(new ArrayList<>());
        for (Function function : Function.values()) {
            if (GROWING.contains(function)) {
                continue;
            }
            List<String> texts = texts(function.name());
            Thread thread = new Thread(() -> texts.forEach(text -> bind(text, bound)));
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((_, e) -> failed.add(e));
            thread.start();
            thread.join(MILLIS_MAX);
            if (thread.isAlive()) {
                late.add(current.get());
            }
        }
        assertEquals(List.of(), late);
        assertEquals(List.of(), failed);
        assertTrue(bound.size() > 200, () -> bound.size() + " were bound");
    }

    private void bind(String text, List<String> bound) {
        current.set(text);
        try {
            Compiler.compile(text, new Catalog(1, Map.of()));
            bound.add(text);
        } catch (SqlException unfit) {
            assertTrue(!String.valueOf(unfit.getMessage()).isEmpty());
        }
    }

    private static List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (String innermost : INNERMOST) {
            texts.add(nested(name + "(", innermost, ")"));
            for (String other : BESIDE) {
                texts.add(nested(name + "(", innermost, ", " + other + ")"));
                texts.add(nested(name + "(" + other + ", ", innermost, ")"));
                texts.add(nested(name + "(" + other + ", ", innermost, ", " + other + ")"));
            }
        }
        return texts;
    }

    private static String nested(String before, String innermost, String behind) {
        return "SELECT " + before.repeat(LEVELS) + innermost + behind.repeat(LEVELS);
    }
}
