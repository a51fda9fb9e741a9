package dev.oriel.sql.engine;

import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.PlanTemplate;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The shared plans of statements of one shape. The first statement is only remembered, with its plan. The second gets
/// a shared plan made of the first, if it equals the plan that the first got by itself. So do later statements that no
/// shared plan fits.
///
/// Guarded by the lock of the [PlanCache], but for [#find], which any thread may call.
final class ShapePlans {
    /// Number of plans kept. Several are needed for literals that are part of a plan, and for values that are much
    /// more or less common.
    private static final int TEMPLATES_MAX = 8;

    /// Number of failed attempts after which no more are made.
    private static final int REFUSALS_MAX = 3;

    /// Number of statements served for each template made, beyond the first templates: a new one must pay off.
    private static final int SERVED_A_TEMPLATE = 16;

    private volatile List<PlanTemplate> templates = List.of();

    /// The first statement, and the plan that it got by itself. Two fields, for a young JVM loads no class for them.
    private Compiler.@Nullable Request first;

    private Compiler.@Nullable Compiled firstPlan;
    private long version;
    private int refusals;
    private long made;
    private long served;

    /// Hashes of the unextracted literals of recent statements.
    private final int[] met = new int[TEMPLATES_MAX];

    private int meetings;

    /// The shared plan for the statement of `tokens`; null if none matches.
    Compiler.@Nullable Compiled find(SqlText source, List<Token> tokens, Catalog catalog) {
        for (PlanTemplate template : templates) {
            if (template.isGoodFor(catalog)) {
                Compiler.Compiled found = template.of(source, tokens);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    void served() {
        served++;
    }

    /// Number of shared plans.
    int size() {
        return templates.size();
    }

    /// Remembers the first statement.
    void met(Compiler.Request request, Compiler.Compiled plan) {
        if (templates.isEmpty() && refusals == 0) {
            first = request;
            firstPlan = plan;
        }
    }

    /// The first statement, if a statement with parameters of the types `given` may get its plan; else null.
    Compiler.@Nullable Request first(List<@Nullable Type> given, Catalog catalog) {
        return first != null
                        && firstPlan != null
                        && first.given().equals(given)
                        && firstPlan.isGoodFor(catalog)
                ? first
                : null;
    }

    /// The plan of the first statement, which is forgotten.
    Compiler.@Nullable Compiled takeFirstPlan() {
        Compiler.Compiled taken = firstPlan;
        first = null;
        firstPlan = null;
        return taken;
    }

    /// Whether to make a shared plan of a statement that matched none.
    boolean wants(List<Token> tokens, Catalog catalog) {
        if (version != catalog.version()) {
            version = catalog.version();
            templates = List.of();
            refusals = 0;
            made = 0;
            served = 0;
            meetings = 0;
        }
        List<PlanTemplate> good = new ArrayList<>();
        for (PlanTemplate template : templates) {
            if (template.isGoodFor(catalog)) {
                good.add(template);
            }
        }
        templates = good;
        boolean again = isMet(good.isEmpty() ? 0 : good.getFirst().leftHash(tokens));
        return again
                && refusals < REFUSALS_MAX
                && (made < TEMPLATES_MAX || served > SERVED_A_TEMPLATE * made);
    }

    private boolean isMet(int hash) {
        for (int i = 0; i < Math.min(meetings, met.length); i++) {
            if (met[i] == hash) {
                return true;
            }
        }
        met[meetings++ % met.length] = hash;
        return false;
    }

    /// Adds a shared plan; null if the attempt failed.
    void learn(@Nullable PlanTemplate template) {
        if (template == null) {
            refusals++;
            return;
        }
        made++;
        List<PlanTemplate> more = new ArrayList<>();
        more.add(template);
        more.addAll(templates.subList(0, Math.min(templates.size(), TEMPLATES_MAX - 1)));
        templates = List.copyOf(more);
    }
}
