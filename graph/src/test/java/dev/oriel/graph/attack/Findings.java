package dev.oriel.graph.attack;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.DatabaseException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.jspecify.annotations.Nullable;

/// Violations found in an episode.
final class Findings {
    private static final int KEPT_MAX = 8;

    private final List<String> sentences = new ArrayList<>();
    private final boolean shared;

    /// @param shared whether threads may take traversals from each other, which TinkerPop forbids
    Findings(boolean shared) {
        this.shared = shared;
    }

    synchronized void add(String sentence) {
        if (sentences.size() < KEPT_MAX) {
            sentences.add(sentence);
        }
    }

    synchronized boolean isEmpty() {
        return sentences.isEmpty();
    }

    @Override
    public synchronized String toString() {
        return String.join("\n\n", sentences);
    }

    /// Adds `thrown` unless the documents name it.
    void judge(String call, Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            String why = objection(cause);
            if (why != null) {
                addThrown(call + ": " + why, thrown);
                return;
            }
        }
    }

    /// Adds `thrown`, which must not be.
    void addThrown(String call, Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        add(call + "\n" + text);
    }

    private @Nullable String objection(Throwable thrown) {
        return switch (thrown) {
            case SQLException e when e.getSQLState() == null -> "no SQLState";
            case SQLException e when e.getSQLState().startsWith("XX") -> "internal error";
            case SQLException _ -> null;
            case CorruptionException _ -> "corruption";
            case DatabaseException _ -> null;
            case IllegalStateException e when isOfTheJdk(e) -> "memory that was freed";
            // TinkerPop's own errors for elements that are gone and transactions that are not open.
            case IllegalStateException _, NoSuchElementException _ -> null;
            case IllegalArgumentException _, UnsupportedOperationException _ -> null;
            case TraversalInterruptedException _, InterruptedException _ -> null;
            case java.io.IOException _ -> null; // below a StorageException
            case RuntimeException e when shared && isOfTinkerPop(e) -> null;
            default -> "no documented exception";
        };
    }

    private static boolean isOfTheJdk(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        return trace.length > 0 && trace[0].getClassName().startsWith("jdk.internal.");
    }

    /// Whether the error came from TinkerPop's own code, for example if two threads use one traversal at once.
    private static boolean isOfTinkerPop(Throwable thrown) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            String name = frame.getClassName();
            if (!name.startsWith("java.")) {
                return name.startsWith("org.apache.tinkerpop.");
            }
        }
        return false;
    }
}
