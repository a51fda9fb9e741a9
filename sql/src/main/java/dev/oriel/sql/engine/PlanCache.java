package dev.oriel.sql.engine;

import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.ComputedTables;
import dev.oriel.sql.plan.Command;
import dev.oriel.table.Catalog;
import dev.oriel.table.Statistics;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The statements that were compiled last, by their exact text. A statement is good for one version
/// of the catalog, and replaced where it is asked for under another, or where its tables have outgrown it. Safe for use by any number of
/// threads; none of them waits while another compiles.
final class PlanCache {
    private static final int STATEMENTS_MAX = 256;

    /// Longer texts are written by programs, and hardly twice.
    private static final int TEXT_CHARS_MAX = 8_192;

    private final ComputedTables computed;
    private final Statistics statistics;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Compiler.Compiled> statements = new LinkedHashMap<>(16, 0.75f, true);

    PlanCache(ComputedTables computed, Statistics statistics) {
        this.computed = computed;
        this.statistics = statistics;
    }

    /// The compiled `text`, from here or newly made.
    ///
    /// @throws SqlException if it cannot be understood
    Compiler.Compiled get(String text, Catalog catalog) {
        return get(text, null, catalog);
    }

    /// The compiled `text` with what is returned of it, see [Compiler#compile(String, List, Catalog)].
    Compiler.Compiled get(String text, @Nullable List<String> keys, Catalog catalog) {
        if (text.length() > TEXT_CHARS_MAX) {
            return Compiler.compile(text, keys, catalog, computed, statistics);
        }
        String name = keys == null ? text : text + '\0' + String.join("\0", keys);
        Compiler.Compiled found;
        lock.lock();
        try {
            found = statements.get(name);
        } finally {
            lock.unlock();
        }
        if (found != null && found.isGoodFor(catalog)) {
            return found;
        }
        Compiler.Compiled compiled = Compiler.compile(text, keys, catalog, computed, statistics);
        if (!(compiled.command() instanceof Command.Definition)) {
            keep(name, compiled);
        }
        return compiled;
    }

    private void keep(String text, Compiler.Compiled compiled) {
        lock.lock();
        try {
            statements.put(text, compiled);
            if (statements.size() > STATEMENTS_MAX) {
                Iterator<String> eldest = statements.keySet().iterator();
                eldest.next();
                eldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }
}
