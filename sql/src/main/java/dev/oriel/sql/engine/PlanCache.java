package dev.oriel.sql.engine;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.ComputedTables;
import dev.oriel.sql.bind.PlanTemplate;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.StatementShape;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Type;
import dev.oriel.table.statistics.Statistics;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Cache of compiled statements: by exact text, and by shape for statements that differ only in literals
/// ([StatementShape], [PlanTemplate]).
///
/// A plan is valid for one version of the catalog. It is replaced when it is requested under another version, or
/// when its tables have outgrown it. Safe for use by any number of threads; none of them waits while another
/// compiles.
final class PlanCache {
    private static final int STATEMENTS_MAX = 256;
    private static final int SHAPES_MAX = 256;

    /// Capacity of the cache by text, and again of the cache by shape.
    private static final long BYTES_MAX = 16 << 20;

    /// Longest text that is cached, in characters: longer ones are usually generated, and rarely repeated.
    private static final int TEXT_CHARS_MAX = 8_192;

    /// Estimated size of a plan, from the length of its text: twice the measured size, since texts differ.
    private static final long PLAN_BYTES = 1_000;

    private static final long PLAN_BYTES_A_CHAR = 40;

    /// Number of hashes kept of texts that got a shared plan.
    private static final int REPEATS = 256;

    private final ComputedTables computed;
    private final Statistics statistics;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.

    private final RecentPlans<String, Compiler.Compiled> statements =
            new RecentPlans<>(STATEMENTS_MAX, BYTES_MAX);
    private final RecentPlans<StatementShape, ShapePlans> shapes =
            new RecentPlans<>(SHAPES_MAX, BYTES_MAX);
    private final int[] repeats = new int[REPEATS];

    private final LongAdder byText = new LongAdder();
    private final LongAdder byShape = new LongAdder();
    private final LongAdder compiled = new LongAdder();
    private final LongAdder templates = new LongAdder();
    private volatile boolean sharing = true;

    PlanCache(ComputedTables computed, Statistics statistics) {
        this.computed = computed;
        this.statistics = statistics;
    }

    /// Statistics of the cache.
    ///
    /// @param byText statements found by text
    /// @param byShape statements that share a plan with other literals
    /// @param compiled statements that were compiled
    /// @param templates plans compiled for sharing
    /// @param evicted entries evicted
    record Counts(
            long byText,
            long byShape,
            long compiled,
            long templates,
            long evicted,
            int texts,
            int shapes,
            long bytes) {}

    Counts counts() {
        lock.lock();
        try {
            return new Counts(
                    byText.sum(),
                    byShape.sum(),
                    compiled.sum(),
                    templates.sum(),
                    statements.evicted() + shapes.evicted(),
                    statements.size(),
                    shapes.size(),
                    statements.bytes() + shapes.bytes());
        } finally {
            lock.unlock();
        }
    }

    /// Whether statements that differ in literals share plans.
    boolean sharing() {
        return sharing;
    }

    void sharing(boolean on) {
        sharing = on;
    }

    /// Gets `text` compiled, returning `keys` (see [Compiler.Request]), from the cache or newly compiled.
    ///
    /// @throws SqlException if it cannot be compiled
    Compiler.Compiled get(String text, @Nullable List<String> keys, Catalog catalog) {
        return get(text, keys, List.of(), catalog);
    }

    /// Gets `text` compiled, returning `keys`, for values of the types `given` (see [Compiler.Request]), from the
    /// cache or newly compiled.
    ///
    /// @throws SqlException if it cannot be compiled
    Compiler.Compiled get(
            String text, @Nullable List<String> keys, List<@Nullable Type> given, Catalog catalog) {
        if (text.length() > TEXT_CHARS_MAX) {
            return alone(text, keys, given, catalog);
        }
        boolean own = !catalog.path().equals(SearchPath.DEFAULT); // names resolve differently
        String named = own ? catalog.path().toString() + '\0' + text : text;
        String name = keys == null ? named : named + '\0' + String.join("\0", keys);
        if (!given.isEmpty()) {
            name += types(given);
        }
        Compiler.Compiled found = known(name, catalog);
        if (found != null) {
            return found;
        }
        Compiler.Request request = request(text, keys, given);
        StatementShape shape = own ? null : StatementShape.of(request.tokens(), keys);
        ShapePlans plans = shape == null ? null : plans(shape);
        if (plans != null) {
            Compiler.Compiled shared = plans.find(request.source(), request.tokens(), catalog);
            if (shared == null && learnOfFirst(plans, request, catalog)) {
                shared = plans.find(request.source(), request.tokens(), catalog);
            }
            if (shared != null) {
                shared(name, plans, shared);
                return shared;
            }
        }
        Compiler.Known known = new Compiler.Known(catalog, computed, statistics);
        compiled.increment();
        Compiler.Compiled made = Compiler.compile(request, known);
        if (!(made.command() instanceof Command.Definition)) {
            keep(name, made);
            if (shape != null && sharing) {
                learn(shape, request, known, made);
            }
        }
        return made;
    }

    /// The types of values, as part of a key.
    private static String types(List<@Nullable Type> given) {
        StringBuilder types = new StringBuilder("\0\0");
        for (Type type : given) {
            types.append(type).append(type == null || type.user() == null ? 0 : type.user().id());
            types.append('\0');
        }
        return types.toString();
    }

    /// Compiles `text` with a plan of its own, which is not cached.
    Compiler.Compiled alone(
            String text, @Nullable List<String> keys, List<@Nullable Type> given, Catalog catalog) {
        compiled.increment();
        return Compiler.compile(
                request(text, keys, given), new Compiler.Known(catalog, computed, statistics));
    }

    private static Compiler.Request request(
            String text, @Nullable List<String> keys, List<@Nullable Type> given) {
        SqlText source = new SqlText(text);
        return new Compiler.Request(source, Lexer.tokens(source), keys, given);
    }

    private Compiler.@Nullable Compiled known(String name, Catalog catalog) {
        Compiler.Compiled found;
        lock.lock();
        try {
            found = statements.get(name);
        } finally {
            lock.unlock();
        }
        boolean good =
                found != null && found.isGoodFor(catalog) && (sharing || found.literals() == null);
        if (!good) {
            return null;
        }
        byText.increment();
        return found;
    }

    private @Nullable ShapePlans plans(StatementShape shape) {
        if (!sharing) {
            return null;
        }
        lock.lock();
        try {
            return shapes.get(shape);
        } finally {
            lock.unlock();
        }
    }

    /// Notes that `name` got a plan of `plans`. A repeated text is cached, to be found without lexing it.
    private void shared(String name, ShapePlans plans, Compiler.Compiled shared) {
        byShape.increment();
        lock.lock();
        try {
            plans.served();
            int hash = name.hashCode();
            int place = (hash ^ (hash >>> 16)) & (REPEATS - 1);
            if (repeats[place] == hash) {
                statements.put(name, shared, bytes(name));
            }
            repeats[place] = hash;
        } finally {
            lock.unlock();
        }
    }

    private void keep(String name, Compiler.Compiled made) {
        lock.lock();
        try {
            statements.put(name, made, bytes(name));
        } finally {
            lock.unlock();
        }
    }

    private static long bytes(String text) {
        return PLAN_BYTES + PLAN_BYTES_A_CHAR * text.length();
    }

    /// Counts a statement of this shape, and compiles a shared plan if it is not the first.
    private void learn(
            StatementShape shape,
            Compiler.Request request,
            Compiler.Known known,
            Compiler.Compiled made) {
        ShapePlans plans;
        lock.lock();
        try {
            plans = shapes.get(shape);
            if (plans == null) {
                plans = new ShapePlans();
                shapes.put(shape, plans, bytes(request.source().text()));
            }
            if (!plans.wants(request.tokens(), known.catalog())) {
                plans.met(request, made);
                return;
            }
        } finally {
            lock.unlock();
        }
        PlanTemplate template = template(request, known, made);
        lock.lock();
        try {
            learn(plans, template);
            shapes.put(shape, plans, (1 + plans.size()) * bytes(request.source().text()));
        } finally {
            lock.unlock();
        }
    }

    /// Makes a shared plan of the first statement when the second comes; returns whether it did.
    private boolean learnOfFirst(ShapePlans plans, Compiler.Request second, Catalog catalog) {
        Compiler.Request first;
        Compiler.Compiled plan;
        lock.lock();
        try {
            first = plans.first(second.given(), catalog);
            plan = plans.takeFirstPlan();
        } finally {
            lock.unlock();
        }
        if (first == null || plan == null) {
            return false;
        }
        Compiler.Known known = new Compiler.Known(catalog, computed, statistics);
        PlanTemplate template = template(first, known, plan);
        lock.lock();
        try {
            learn(plans, template);
        } finally {
            lock.unlock();
        }
        return template != null;
    }

    private void learn(ShapePlans plans, @Nullable PlanTemplate template) {
        plans.learn(template);
        templates.add(template == null ? 0 : 1);
    }

    private static @Nullable PlanTemplate template(
            Compiler.Request request, Compiler.Known known, Compiler.Compiled made) {
        try {
            return Compiler.template(request, known, made);
        } catch (SqlException needed) {
            if (needed.kind() == SqlException.Kind.CANCELLED) {
                throw needed;
            }
            return null; // a literal that was taken out is needed by the compiler
        }
    }
}
