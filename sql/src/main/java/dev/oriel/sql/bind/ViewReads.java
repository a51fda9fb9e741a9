package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.table.definition.View;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads of views by one statement. The first reads are planned separately, so that conditions are pushed into
/// each. From [#APART_MAX] on each view is planned once, and further reads share its rows. Otherwise views that
/// read one another twice would double the number of plans at each level.
final class ViewReads {
    /// Number of reads that are planned separately.
    private static final int APART_MAX = 200;

    private final Map<String, BoundQuery> kept = new HashMap<>();

    /// Whether the plans are never run.
    private final boolean unrun;

    private int apartLeft;

    private ViewReads(int apartMax, boolean unrun) {
        this.apartLeft = apartMax;
        this.unrun = unrun;
    }

    static ViewReads ofStatement() {
        return new ViewReads(APART_MAX, false);
    }

    /// Reads for validating definitions: no view is planned twice.
    static ViewReads ofDefinitions() {
        return new ViewReads(0, true);
    }

    /// Takes one of the separately planned reads; false if none is left.
    boolean takeApart() {
        if (apartLeft == 0) {
            return false;
        }
        apartLeft--;
        return true;
    }

    /// The shared plan of `view`; null if there is none yet.
    @Nullable BoundQuery kept(View view) {
        return kept.get(key(view));
    }

    private static String key(View view) {
        return view.schema() + '\0' + view.name();
    }

    /// Makes `bound` the shared plan of `view`.
    BoundQuery keep(View view, BoundQuery bound, BindContext around) {
        if (!unrun && PlanParts.isVolatile(bound.plan())) {
            throw around.source()
                    .error(
                            Kind.TOO_COMPLEX,
                            0,
                            "The statement reads views more than "
                                    + APART_MAX
                                    + " times, and view \""
                                    + view.name()
                                    + "\" has other rows each time; read fewer views, or name it"
                                    + " once in WITH");
        }
        Plan plan = new Plan.Kept(around.nextNumber(), view.name(), bound.plan());
        BoundQuery shared = new BoundQuery(plan, bound.columns(), bound.untyped());
        kept.put(key(view), shared);
        return shared;
    }
}
