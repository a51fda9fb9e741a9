package dev.oriel.cli.migration;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a schema of another product defines, as far as it can be taken over.
///
/// @param views in the order in which the product lists them
record SourceSchema(List<Table> tables, List<Sequence> sequences, List<View> views) {

    /// @param primaryKey null if it has none
    record Table(
            String name,
            @Nullable String remarks,
            List<Column> columns,
            @Nullable PrimaryKey primaryKey,
            List<Index> indexes,
            List<Check> checks,
            List<ForeignKey> foreignKeys) {}

    /// @param defaultText the default as the product writes it; of a generated column the expression
    /// @param identity whether the product numbers the rows
    record Column(
            String name,
            ColumnType type,
            boolean nullable,
            @Nullable String defaultText,
            boolean identity,
            boolean generated,
            @Nullable String remarks) {

        Column withType(ColumnType other) {
            return new Column(name, other, nullable, defaultText, identity, generated, remarks);
        }
    }

    /// @param name null if the product made one up
    record PrimaryKey(@Nullable String name, List<String> columns) {}

    /// @param name null if the product made one up
    /// @param columns with the direction, `DESC`, if it is not ascending; quoted
    /// @param statement of its definition, if the product keeps that; goes before the columns
    record Index(
            @Nullable String name,
            boolean unique,
            List<String> columns,
            @Nullable String statement) {}

    /// @param name null if the product made one up
    record Check(@Nullable String name, String condition) {}

    /// @param name null if the product made one up
    /// @param actions what follows the columns: `ON DELETE CASCADE` and the like
    record ForeignKey(
            @Nullable String name,
            List<String> columns,
            String parent,
            List<String> parentColumns,
            String actions) {}

    /// @param next the number that the product would give next
    record Sequence(
            String name, long next, long increment, long least, long greatest, boolean cycles) {}

    /// @param query what the view selects, or the whole CREATE VIEW
    record View(String name, String query) {

        String statement() {
            String text = query.strip();
            boolean whole = text.regionMatches(true, 0, "CREATE", 0, "CREATE".length());
            return whole ? text : "CREATE VIEW " + Definitions.quoted(name) + " AS " + text;
        }
    }
}
