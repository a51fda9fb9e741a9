package dev.oriel.cli.migration;

import dev.oriel.cli.migration.ColumnType.Kind;
import dev.oriel.cli.migration.SourceSchema.Column;
import dev.oriel.cli.migration.SourceSchema.Identity;
import dev.oriel.cli.migration.SourceSchema.PrimaryKey;
import dev.oriel.cli.migration.SourceSchema.Sequence;
import dev.oriel.cli.migration.SourceSchema.Table;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Types for the columns of SQLite, where any column holds values of any type. The type is the declared one if
/// all values fit it, else one that holds them.
final class SqliteTypes {
    private static final Pattern DECLARATION =
            Pattern.compile("([A-Za-z_ ]+)\\s*(?:\\(\\s*(\\d+)\\s*(?:,\\s*(\\d+)\\s*)?\\))?.*");

    /// Parts of words that imply a type; the first one found in a declaration counts.
    private static final Map<String, Integer> WORDS = new LinkedHashMap<>();

    static {
        WORDS.put("INT", Types.BIGINT);
        WORDS.put("CHAR", Types.VARCHAR);
        WORDS.put("CLOB", Types.VARCHAR);
        WORDS.put("TEXT", Types.VARCHAR);
        WORDS.put("BLOB", Types.BLOB);
        WORDS.put("REAL", Types.DOUBLE);
        WORDS.put("FLOA", Types.DOUBLE);
        WORDS.put("DOUB", Types.DOUBLE);
        WORDS.put("BOOL", Types.BOOLEAN);
        WORDS.put("DATETIME", Types.TIMESTAMP);
        WORDS.put("TIMESTAMP", Types.TIMESTAMP);
        WORDS.put("DATE", Types.DATE);
    }

    private static final long EXACT_IN_DOUBLE = 1L << 53;

    /// Condition that $ is not in the format of SQLite's date and time functions.
    private static final String NO_TIMESTAMP =
            "substr($, 1, 10) IS NOT date(substr($, 1, 10)) OR substr($, 11, 1) NOT IN (' ', 'T')"
                    + " OR substr($, 12, 5) NOT GLOB '[0-2][0-9]:[0-5][0-9]' OR substr($, 12, 2) > '23'"
                    + " OR length($) > 26 OR length($) = 20 OR length($) > 16 AND"
                    + " (substr($, 17, 3) NOT GLOB ':[0-5][0-9]' OR length($) > 19 AND"
                    + " (substr($, 20, 1) <> '.' OR substr($, 21) GLOB '*[^0-9]*'))";

    private final Connection connection;
    private final Catalog catalog;
    private final MigrationReport report;

    SqliteTypes(Connection connection, MigrationReport report) {
        this.connection = connection;
        this.catalog = new Catalog(connection, Product.SQLITE, "");
        this.report = report;
    }

    List<Table> fitted(List<Table> tables) throws SQLException {
        List<Table> fitted = new ArrayList<>();
        for (Table table : tables) {
            Map<String, String> declared = declared(table);
            List<Column> columns = new ArrayList<>();
            for (Column column : table.columns()) {
                ColumnType type = ofDeclaration(declared.getOrDefault(column.name(), ""));
                columns.add(
                        column.withType(fitted(table, column, type))
                                .numbered(identity(table, column)));
                noteCollation(table, column);
            }
            fitted.add(table.withColumns(columns));
        }
        return fitted;
    }

    /// Returns the identity of a primary key that is an alias of the row id: an INSERT without a value gets the
    /// next one. Null if `column` is no such key.
    private @Nullable Identity identity(Table table, Column column) throws SQLException {
        PrimaryKey key = table.primaryKey();
        String indexes =
                "SELECT 1 FROM pragma_index_list(%s) WHERE origin = 'pk'"
                        .formatted(Definitions.literal(table.name()));
        if (key == null
                || !key.columns().equals(List.of(column.name()))
                || !catalog.ask(indexes).isEmpty()) {
            return null;
        }
        BigDecimal next =
                catalog.behind(table.name(), column.name(), BigDecimal.ONE, BigDecimal.ONE);
        if (!catalog.ask("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'").isEmpty()) {
            String last =
                    "SELECT seq FROM sqlite_sequence WHERE name = "
                            + Definitions.literal(table.name());
            for (List<String> row : catalog.ask(last)) {
                next = next.max(new BigDecimal(row.get(0)).add(BigDecimal.ONE));
            }
        }
        BigDecimal greatest = BigDecimal.valueOf(Long.MAX_VALUE);
        return new Identity(
                false,
                Sequence.of(column.name(), next, BigDecimal.ONE, BigDecimal.ONE, greatest, false));
    }

    /// Notes the collation of a column. Only the plan of a comparison reveals it.
    private void noteCollation(Table table, Column column) throws SQLException {
        String plan =
                "EXPLAIN SELECT 1 FROM %s WHERE +%s = 'a'"
                        .formatted(
                                Definitions.quoted(table.name()),
                                Definitions.quoted(column.name()));
        for (List<String> row : catalog.ask(plan)) {
            String collation = String.valueOf(row.get(5)).replaceFirst("-\\d+(LE|BE)?$", "");
            boolean compares = List.of("Ne", "Eq").contains(row.get(1)) && row.get(5) != null;
            if (compares && !collation.equals("BINARY")) {
                report.note(
                        "column " + table.name() + "." + column.name(),
                        "texts compare by their code points here, not by the collation "
                                + collation);
            }
        }
    }

    /// Returns the declared type of each column.
    private Map<String, String> declared(Table table) throws SQLException {
        Map<String, String> declared = new HashMap<>();
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT name, type FROM pragma_table_xinfo(?)")) {
            statement.setString(1, table.name());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    declared.put(rows.getString(1), rows.getString(2));
                }
            }
        }
        return declared;
    }

    /// Returns the type implied by a declaration, by SQLite's rules and by custom.
    private static ColumnType ofDeclaration(String text) {
        Matcher parts = DECLARATION.matcher(text);
        if (!parts.matches()) {
            return ColumnType.same(Kind.TEXT, "TEXT");
        }
        String word = parts.group(1).toUpperCase(Locale.ROOT).strip();
        int size = parts.group(2) == null ? 0 : Integer.parseInt(parts.group(2));
        int scale = parts.group(3) == null ? 0 : Integer.parseInt(parts.group(3));
        for (Map.Entry<String, Integer> known : WORDS.entrySet()) {
            if (word.contains(known.getKey())) {
                return ColumnType.of(known.getValue(), "", size, scale);
            }
        }
        return ColumnType.of(Types.NUMERIC, "", size, scale);
    }

    private ColumnType fitted(Table table, Column column, ColumnType declared) throws SQLException {
        String name = Definitions.quoted(column.name());
        String from = " FROM " + Definitions.quoted(table.name());
        Set<String> stored = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT DISTINCT typeof(" + name + ")" + from)) {
            while (rows.next()) {
                stored.add(rows.getString(1));
            }
        }
        stored.remove("null");
        if (holds(declared, name, from, stored)) {
            return declared.kind() == Kind.INTEGER
                    ? ColumnType.same(Kind.INTEGER, "BIGINT")
                    : declared;
        }
        ColumnType type = byContent(stored, name, from);
        return declared.kind() == type.kind() || stored.isEmpty()
                ? type
                : ColumnType.noted(
                        type.kind(),
                        type.text(),
                        "declared as " + declared.text() + ", with values of other types");
    }

    private boolean holds(ColumnType type, String name, String from, Set<String> stored)
            throws SQLException {
        return switch (type.kind()) {
            case INTEGER -> Set.of("integer").containsAll(stored);
            case BOOLEAN ->
                    Set.of("integer").containsAll(stored) && none(from, name + " NOT IN (0, 1)");
            case DECIMAL ->
                    Set.of("integer", "real").containsAll(stored) && fitsDigits(type, name, from);
            case REAL, DOUBLE -> Set.of("integer", "real").containsAll(stored);
            case BYTES -> Set.of("blob").containsAll(stored);
            case DATE ->
                    Set.of("text").containsAll(stored)
                            && none(from, name + " IS NOT date(" + name + ")");
            case TIMESTAMP ->
                    Set.of("text").containsAll(stored)
                            && none(from, NO_TIMESTAMP.replace("$", name));
            case TEXT -> Set.of("text").containsAll(stored) && fits(type, name, from);
            default -> false;
        };
    }

    /// Whether all texts fit the declared length.
    private boolean fits(ColumnType type, String name, String from) throws SQLException {
        int open = type.text().indexOf('(');
        return open < 0
                || none(
                        from,
                        "length("
                                + name
                                + ") > "
                                + type.text().substring(open + 1, type.text().length() - 1));
    }

    /// Whether all numbers fit the declared digits.
    private boolean fitsDigits(ColumnType type, String name, String from) throws SQLException {
        int open = type.text().indexOf('(');
        int comma = type.text().indexOf(',');
        if (open < 0 || comma < 0) {
            return true;
        }
        int digits = Integer.parseInt(type.text().substring(open + 1, comma));
        int scale = Integer.parseInt(type.text().substring(comma + 2, type.text().length() - 1));
        return none(
                from,
                "round(%1$s, %2$d) <> %1$s OR abs(%1$s) >= 1e%3$d"
                        .formatted(name, scale, digits - scale));
    }

    private boolean none(String from, String condition) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT 1" + from + " WHERE " + condition + " LIMIT 1")) {
            return !rows.next();
        }
    }

    private ColumnType byContent(Set<String> stored, String name, String from) throws SQLException {
        if (Set.of("integer").equals(stored)) {
            return ColumnType.same(Kind.INTEGER, "BIGINT");
        }
        if (!stored.isEmpty() && Set.of("integer", "real").containsAll(stored)) {
            String large =
                    "typeof(%1$s) = 'integer' AND %1$s NOT BETWEEN -%2$d AND %2$d"
                            .formatted(name, EXACT_IN_DOUBLE);
            return none(from, large)
                    ? ColumnType.same(Kind.DOUBLE, "DOUBLE PRECISION")
                    : ColumnType.same(Kind.DECIMAL, "DECIMAL");
        }
        if (stored.contains("blob")) {
            return ColumnType.same(Kind.BYTES, "BLOB");
        }
        return ColumnType.same(Kind.TEXT, "TEXT");
    }
}
