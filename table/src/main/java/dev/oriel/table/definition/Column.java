package dev.oriel.table.definition;

import org.jspecify.annotations.Nullable;

/// A column of a table.
///
/// @param name as declared; names are compared without regard to case
/// @param nullable whether it may be NULL
/// @param filling value of a row that is given none; null for NULL
/// @param role how the table itself uses its values
/// @param fillsNull whether a NULL that is given stands for `filling`, which a layer above applies
/// @param update text of the expression of ON UPDATE, which a layer above applies; null if there is none
public record Column(
        String name,
        Type type,
        boolean nullable,
        @Nullable ColumnDefault filling,
        Role role,
        @Nullable String update,
        boolean fillsNull) {
    /// A column that changes of others do not change.
    public Column(
            String name, Type type, boolean nullable, @Nullable ColumnDefault filling, Role role) {
        this(name, type, nullable, filling, role, null, false);
    }

    /// A column that the table does not interpret, NULL if no value is given.
    public Column(String name, Type type, boolean nullable) {
        this(name, type, nullable, null, Role.PLAIN);
    }

    /// A column that is NULL if no value is given.
    public Column(String name, Type type, boolean nullable, Role role) {
        this(name, type, nullable, null, role);
    }

    public Column withName(String other) {
        return new Column(other, type, nullable, filling, role, update, fillsNull);
    }

    public Column withType(Type other) {
        return new Column(name, other, nullable, filling, role, update, fillsNull);
    }

    public Column withNullable(boolean other) {
        return new Column(name, type, other, filling, role, update, fillsNull);
    }

    public Column withFilling(@Nullable ColumnDefault other) {
        return new Column(name, type, nullable, other, role, update, fillsNull);
    }

    public Column withUpdate(@Nullable String other) {
        return new Column(name, type, nullable, filling, role, other, fillsNull);
    }

    public Column withFillsNull(boolean other) {
        return new Column(name, type, nullable, filling, role, update, other);
    }

    /// Whether the column may be NULL: neither it nor its domain is NOT NULL.
    public boolean allowsNull() {
        DomainType domain = type.domain();
        return nullable && (domain == null || domain.allowsNull());
    }

    /// Whether its value is computed from the others.
    public boolean generated() {
        return filling instanceof ColumnDefault.Generated;
    }

    /// Purpose of a column. A table has at most one of each but PLAIN.
    public enum Role {
        PLAIN,
        /// TIMESTAMP_TZ: the moment from which the row is absent for every reader; NULL for a row that stays.
        /// `Tables.sweep` removes expired rows.
        EXPIRY,
        /// BIGINT: a number that each change of the row replaces, whatever value the change gives, always higher
        /// than the one before. If a transaction finds it the same, the row has not been changed.
        VERSION
    }
}
