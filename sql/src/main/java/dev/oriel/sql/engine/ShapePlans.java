package dev.oriel.sql.engine;

import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.PlanTemplate;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.table.Catalog;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the statements of one shape have taught: the plans that they share. The first of them is only
/// remembered; from the second on one is made, where it is the plan that the statement has by itself.
///
/// Guarded by the lock of the [PlanCache], but for [#find], which any thread may call.
final class ShapePlans {
    /// For other literals that are a part of the plan, and for values that are much more or less common.
    private static final int TEMPLATES_MAX = 8;

    /// So often it is tried in vain.
    private static final int REFUSALS_MAX = 3;

    /// Beyond the first templates, each has to be worth it: so many statements served for one made.
    private static final int SERVED_A_TEMPLATE = 16;

    private volatile List<PlanTemplate> templates = List.of();
    private long version;
    private int refusals;
    private long made;
    private long served;

    /// Hashes of the literals that stayed, of statements met lately.
    private final int[] met = new int[TEMPLATES_MAX];

    private int meetings;

    /// The shared plan for the statement of `tokens`; null where there is none that suits.
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

    /// How many plans it has.
    int size() {
        return templates.size();
    }

    /// A statement had none of the plans: whether one is to be made of it.
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

    /// A plan was made; null where none can be shared.
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
