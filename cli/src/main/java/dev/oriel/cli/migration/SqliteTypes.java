package dev.oriel.cli.migration;

import dev.oriel.cli.migration.ColumnType.Kind;
import dev.oriel.cli.migration.SourceSchema.Column;
import dev.oriel.cli.migration.SourceSchema.Table;
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

/// Types for the columns of SQLite, which holds a value of any type in a column of any type: the declared one if all
/// values fit it, else one that holds them.
final class SqliteTypes {
    private static final Pattern DECLARATION =
            Pattern.compile("([A-Za-z_ ]+)\\s*(?:\\(\\s*(\\d+)\\s*(?:,\\s*(\\d+)\\s*)?\\))?.*");

    /// Parts of words that say the type; the first that a declaration has counts.
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

    private final Connection connection;

    SqliteTypes(Connection connection) {
        this.connection = connection;
    }

    List<Table> fitted(List<Table> tables) throws SQLException {
        List<Table> fitted = new ArrayList<>();
        for (Table table : tables) {
            Map<String, String> declared = declared(table);
            List<Column> columns = new ArrayList<>();
            for (Column column : table.columns()) {
                ColumnType type = ofDeclaration(declared.getOrDefault(column.name(), ""));
                columns.add(column.withType(fitted(table, column, type)));
            }
            fitted.add(
                    new Table(
                            table.name(),
                            table.remarks(),
                            columns,
                            table.primaryKey(),
                            table.indexes(),
                            table.checks(),
                            table.foreignKeys()));
        }
        return fitted;
    }

    /// By column the type as the table's definition has it.
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

    /// What the words of a declaration mean, by SQLite's rules and by habit.
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
        ColumnType type = byContent(stored);
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
            case DECIMAL -> Set.of("integer", "real").containsAll(stored);
            case REAL, DOUBLE -> Set.of("integer", "real").containsAll(stored);
            case BYTES -> Set.of("blob").containsAll(stored);
            case DATE ->
                    Set.of("text").containsAll(stored)
                            && none(from, name + " IS NOT date(" + name + ")");
            case TIMESTAMP ->
                    Set.of("text").containsAll(stored)
                            && none(
                                    from,
                                    "length(" + name + ") < 16 OR datetime(" + name + ") IS NULL");
            case TEXT -> Set.of("text").containsAll(stored) && fits(type, name, from);
            default -> false;
        };
    }

    /// Whether no text is longer than the type says.
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

    private boolean none(String from, String condition) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT 1" + from + " WHERE " + condition + " LIMIT 1")) {
            return !rows.next();
        }
    }

    private static ColumnType byContent(Set<String> stored) {
        if (Set.of("integer").equals(stored)) {
            return ColumnType.same(Kind.INTEGER, "BIGINT");
        }
        if (!stored.isEmpty() && Set.of("integer", "real").containsAll(stored)) {
            return ColumnType.same(Kind.DOUBLE, "DOUBLE PRECISION");
        }
        if (stored.contains("blob")) {
            return ColumnType.same(Kind.BYTES, "BLOB");
        }
        return ColumnType.same(Kind.TEXT, "TEXT");
    }
}
