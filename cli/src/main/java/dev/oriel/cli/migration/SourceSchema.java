package dev.oriel.cli.migration;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a schema of another product defines, as far as it can be taken over.
///
/// @param views in the order in which the product lists them
/// @param left what does not come along: a name and the reason, in turn
/// @param different what means something else here, likewise
record SourceSchema(
        List<Enumeration> enumerations,
        List<Domain> domains,
        List<Table> tables,
        List<Sequence> sequences,
        List<View> views,
        List<Loss> left,
        List<Loss> different) {

    record Loss(String name, @Nullable String reason) {}

    record Enumeration(String name, List<String> labels) {}

    /// @param parent the domain or enumeration of which it is; null if it is of a type of the product's
    record Domain(
            String name,
            ColumnType type,
            @Nullable String parent,
            @Nullable String defaultText,
            boolean notNull,
            List<Check> checks) {}

    /// @param from what stands behind FROM to read it
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

    /// @param defaultText the default as the product writes it; of a generated column the expression
    /// @param identity how the product numbers the rows; null if it does not
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

    /// @param always whether the numbers cannot be given by INSERT
    record Identity(boolean always, Sequence numbers) {}

    /// @param next the number that the product would give next
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

        /// The sequence of these numbers, as far as one can give them here.
        ///
        /// @param next null if there is none any more
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

    /// @param query what the view selects, or the whole CREATE VIEW
    record View(String name, String query) {

        String statement() {
            String text = query.strip();
            boolean whole = text.regionMatches(true, 0, "CREATE", 0, "CREATE".length());
            return whole ? text : "CREATE VIEW " + Definitions.quoted(name) + " AS " + text;
        }
    }
}
