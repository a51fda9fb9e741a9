package dev.oriel.table;

/// A column of a table.
///
/// @param name as declared; names are compared without regard to case
/// @param nullable whether it may be NULL
/// @param role what the table itself does with its values
public record Column(String name, Type type, boolean nullable, Role role) {
    /// A column of values that mean nothing to the table.
    public Column(String name, Type type, boolean nullable) {
        this(name, type, nullable, Role.PLAIN);
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
