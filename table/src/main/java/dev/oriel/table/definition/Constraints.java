package dev.oriel.table.definition;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rules for the rows of a table in addition to types, NOT NULL and unique indexes.
///
/// @param primaryKey name of the primary key; empty if there is none, or none was given
public record Constraints(String primaryKey, List<Check> checks, List<ForeignKey> foreignKeys) {
    public static final Constraints NONE = new Constraints("", List.of(), List.of());

    public Constraints {
        checks = ordered(checks);
        foreignKeys = List.copyOf(foreignKeys);
    }

    /// The checks that users have declared.
    public List<Check> declared() {
        return checks.isEmpty() || !checks.getLast().isRouting()
                ? checks
                : checks.subList(0, checks.size() - 1);
    }

    /// These constraints with `routing` as the condition that a partition takes the row; null for none.
    public Constraints withRouting(@Nullable Check routing) {
        List<Check> all = new ArrayList<>(declared());
        if (routing != null) {
            all.add(routing);
        }
        return withChecks(all);
    }

    public Constraints withChecks(List<Check> other) {
        return new Constraints(primaryKey, other, foreignKeys);
    }

    /// The checks with the condition of the partitions last.
    private static List<Check> ordered(List<Check> checks) {
        for (int i = 0; i < checks.size() - 1; i++) {
            if (checks.get(i).isRouting()) {
                List<Check> ordered = new ArrayList<>(checks);
                ordered.add(ordered.remove(i));
                return List.copyOf(ordered);
            }
        }
        return List.copyOf(checks);
    }

    public Constraints withForeignKeys(List<ForeignKey> other) {
        return new Constraints(primaryKey, checks, other);
    }

    public Constraints withPrimaryKey(String other) {
        return new Constraints(other, checks, foreignKeys);
    }
}
