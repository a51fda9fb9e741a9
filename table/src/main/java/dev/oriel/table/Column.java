package dev.oriel.table;

import org.jspecify.annotations.Nullable;

/// A column of a table.
///
/// @param name as declared; names are compared without regard to case
/// @param nullable whether it may be NULL
/// @param filling what it gets where no value is given; null for NULL
/// @param role what the table itself does with its values
public record Column(
        String name, Type type, boolean nullable, @Nullable ColumnDefault filling, Role role) {
    /// A column of values that mean nothing to the table, NULL where no value is given.
    public Column(String name, Type type, boolean nullable) {
        this(name, type, nullable, null, Role.PLAIN);
    }

    /// A column that is NULL where no value is given.
    public Column(String name, Type type, boolean nullable, Role role) {
        this(name, type, nullable, null, role);
    }

    public Column withName(String other) {
        return new Column(other, type, nullable, filling, role);
    }

    public Column withType(Type other) {
        return new Column(name, other, nullable, filling, role);
    }

    public Column withNullable(boolean other) {
        return new Column(name, type, other, filling, role);
    }

    public Column withFilling(@Nullable ColumnDefault other) {
        return new Column(name, type, nullable, other, role);
    }

    /// Whether its value follows from the others.
    public boolean generated() {
        return filling instanceof ColumnDefault.Generated;
    }

    /// What a column is for. A table has at most one of each but PLAIN.
    public enum Role {
        PLAIN,
        /// TIMESTAMP_TZ: the moment from which the row is absent, for every reader of whatever
        /// language; NULL for a row that stays. [Tables#sweep] removes what has expired.
        EXPIRY,
        /// BIGINT: a number that each change of the row sets anew, whatever the change says, always
        /// higher than the one before. Who finds it as it was knows that nobody has changed the row.
        VERSION
    }
}
