package dev.oriel.sql.planner;

import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Replacement;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.rows.SortKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Outputs that are computed after the sort: volatile expressions that are not sort keys. For example,
/// `SELECT NEXTVAL('s') ... ORDER BY x LIMIT 10` draws ten numbers, in the order of `x`.
final class LateOutputs {
    private final List<Scalar> early = new ArrayList<>();

    /// Positions within `early` of the columns that late outputs read.
    private final Map<Integer, Integer> columns = new HashMap<>();

    private LateOutputs() {}

    /// The sorted rows of `input` with `outputs`; null if all outputs are computed before the sort.
    static @Nullable Plan sorted(Plan input, List<Scalar> outputs, List<SortKey> order) {
        BitSet late = new BitSet();
        for (int i = 0; i < outputs.size(); i++) {
            late.set(i, PlanParts.isVolatile(outputs.get(i)));
        }
        order.forEach(key -> late.clear(key.column()));
        return late.isEmpty() ? null : new LateOutputs().sorted(input, outputs, order, late);
    }

    private Plan sorted(Plan input, List<Scalar> outputs, List<SortKey> order, BitSet late) {
        int[] places = new int[outputs.size()];
        for (int i = late.nextClearBit(0); i < places.length; i = late.nextClearBit(i + 1)) {
            places[i] = early.size();
            early.add(outputs.get(i));
        }
        List<Scalar> all = new ArrayList<>();
        for (int i = 0; i < places.length; i++) {
            Scalar output = outputs.get(i);
            all.add(
                    late.get(i)
                            ? Replacement.of(output, this::moved)
                            : column(places[i], output, ScalarText.of(output)));
        }
        List<SortKey> keys = new ArrayList<>();
        for (SortKey key : order) {
            keys.add(new SortKey(places[key.column()], key.descending(), key.nullsFirst()));
        }
        Plan rows = new Plan.Project(input, List.copyOf(early));
        return new Plan.Project(new Plan.Sort(rows, List.copyOf(keys)), List.copyOf(all));
    }

    private Scalar moved(Scalar column) {
        if (!(column instanceof Scalar.ColumnRef ref)) {
            return column;
        }
        Integer place = columns.get(ref.column());
        if (place == null) {
            place = early.size();
            columns.put(ref.column(), place);
            early.add(ref);
        }
        return column(place, ref, ref.name());
    }

    private static Scalar column(int place, Scalar of, String name) {
        return new Scalar.ColumnRef(place, of.type(), of.nullable(), name);
    }
}
