package dev.oriel.sql.run;

import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// Finds the columns of the joined row that a join reads while it runs, of its own tables and of tables before it.
final class JoinColumns {
    private JoinColumns() {}

    /// Adds the columns that `join` and all joins in it read to `into`.
    static void addRead(Join join, BitSet into) {
        switch (join) {
            case Join.Source source -> {
                if (source.plan() instanceof Plan.Scan scan) {
                    PlanParts.scalars(scan).forEach(scalar -> add(scalar, into));
                }
                if (source.lateral() != null) {
                    source.lateral().arguments().forEach(scalar -> add(scalar, into));
                }
            }
            case Join.Filtered filtered -> {
                addRead(filtered.input(), into);
                add(filtered.condition(), into);
            }
            case Join.Loop loop -> {
                addRead(loop.outer(), into);
                addRead(loop.inner(), into);
            }
            case Join.Hash hash -> {
                addRead(hash.probe(), into);
                addRead(hash.build(), into);
                hash.probeKeys().forEach(key -> add(key, into));
                hash.buildKeys().forEach(key -> add(key, into));
                add(hash.rest(), into);
            }
        }
    }

    private static void add(@Nullable Scalar scalar, BitSet into) {
        if (scalar != null) {
            PlanParts.columns(scalar, into);
        }
    }
}
