package dev.oriel.cli.migration;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The definitions in a schema of another product, as far as they can be taken over.
///
/// @param views in the order in which the product lists them
/// @param clauses properties of columns that few products have
/// @param left objects left out: alternately a name and the reason
/// @param different objects with another meaning here, likewise
record SourceSchema(
        List<Enumeration> enumerations,
        List<Domain> domains,
        List<Table> tables,
        List<Sequence> sequences,
        List<View> views,
        List<Clause> clauses,
        List<Loss> left,
        List<Loss> different) {

    record Loss(String name, @Nullable String reason) {}

    /// @param statement adds it to its column, behind the default
    record Clause(String table, String name, String statement) {}

    record Enumeration(String name, List<String> labels) {}

    /// @param parent the base domain or enumeration; null if the base type is one of the product's own
    record Domain(
            String name,
            ColumnType type,
            @Nullable String parent,
            @Nullable String defaultText,
            boolean notNull,
            List<Check> checks) {}

    /// @param from the FROM item that reads it
    /// @param primaryKey null if it has none
    record Table(
            String name,
            String from,
            @Nullable String remarks,
            List<Column> columns,
            @Nullable PrimaryKey primaryKey,
            List<Index> indexes,
            List<Check> checks,
            List<ForeignKey> foreignKeys) {

        Table withColumns(List<Column> others) {
            return new Table(name, from, remarks, others, primaryKey, indexes, checks, foreignKeys);
        }
    }

    /// @param defaultText the default as the product writes it; the expression of a generated column
    /// @param identity the product's numbering of the rows; null if there is none
    record Column(
            String name,
            ColumnType type,
            boolean nullable,
            @Nullable String defaultText,
            @Nullable Identity identity,
            boolean generated,
            @Nullable String remarks) {

        Column withType(ColumnType other) {
            return new Column(name, other, nullable, defaultText, identity, generated, remarks);
        }

        Column numbered(@Nullable Identity numbers) {
            return new Column(name, type, nullable, defaultText, numbers, generated, remarks);
        }

        Column withoutNull() {
            return new Column(name, type, false, defaultText, identity, generated, remarks);
        }
    }

    /// @param name null if the product generated it
    record PrimaryKey(@Nullable String name, List<String> columns) {}

    /// @param name null if the product generated it
    /// @param columns with the direction, `DESC`, if it is not ascending; quoted
    /// @param statement of its definition, if the product keeps that; goes before the columns
    record Index(
            @Nullable String name,
            boolean unique,
            List<String> columns,
            @Nullable String statement) {}

    /// @param name null if the product generated it
    record Check(@Nullable String name, String condition) {}

    /// @param name null if the product generated it
    /// @param actions the text after the columns: `ON DELETE CASCADE` and the like
    record ForeignKey(
            @Nullable String name,
            List<String> columns,
            String parent,
            List<String> parentColumns,
            String actions) {}

    /// @param always whether INSERT cannot give the numbers
    record Identity(boolean always, Sequence numbers) {}

    /// @param next the next number of the product's sequence
    /// @param exhausted whether it has given its last number; `next` is that one
    record Sequence(
            String name,
            long next,
            long increment,
            long least,
            long greatest,
            boolean cycles,
            boolean exhausted) {

        private static final BigDecimal MIN = BigDecimal.valueOf(Long.MIN_VALUE);
        private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

        /// Returns the sequence of these numbers, as far as they are possible here.
        ///
        /// @param next null if there are no more
        static Sequence of(
                String name,
                @Nullable BigDecimal next,
                BigDecimal increment,
                BigDecimal least,
                BigDecimal greatest,
                boolean cycles) {
            BigDecimal low = least.max(MIN).min(MAX);
            BigDecimal high = greatest.max(MIN).min(MAX);
            boolean up = increment.signum() >= 0;
            boolean ended = next == null || next.compareTo(low) < 0 || next.compareTo(high) > 0;
            BigDecimal first = ended || next == null ? (up == cycles ? low : high) : next;
            return new Sequence(
                    name,
                    first.longValue(),
                    increment.longValue(),
                    low.longValue(),
                    high.longValue(),
                    cycles,
                    ended && !cycles);
        }
    }

    /// @param query the SELECT of the view, or the whole CREATE VIEW
    record View(String name, String query) {

        String statement() {
            String text = query.strip();
            boolean whole = text.regionMatches(true, 0, "CREATE", 0, "CREATE".length());
            return whole ? text : "CREATE VIEW " + Definitions.quoted(name) + " AS " + text;
        }
    }
}
