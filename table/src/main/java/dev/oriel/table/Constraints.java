package dev.oriel.table;

import java.util.List;

/// Rules for the rows of a table in addition to types, NOT NULL and unique indexes.
///
/// @param primaryKey name of the primary key; empty if there is none, or none was given
public record Constraints(String primaryKey, List<Check> checks, List<ForeignKey> foreignKeys) {
    public static final Constraints NONE = new Constraints("", List.of(), List.of());

    public Constraints {
        checks = List.copyOf(checks);
        foreignKeys = List.copyOf(foreignKeys);
    }

    public Constraints withChecks(List<Check> other) {
        return new Constraints(primaryKey, other, foreignKeys);
    }

    public Constraints withForeignKeys(List<ForeignKey> other) {
        return new Constraints(primaryKey, checks, other);
    }

    public Constraints withPrimaryKey(String other) {
        return new Constraints(other, checks, foreignKeys);
    }
}
