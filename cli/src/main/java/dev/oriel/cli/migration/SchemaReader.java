package dev.oriel.cli.migration;

import dev.oriel.cli.migration.SourceSchema.Check;
import dev.oriel.cli.migration.SourceSchema.Column;
import dev.oriel.cli.migration.SourceSchema.ForeignKey;
import dev.oriel.cli.migration.SourceSchema.Index;
import dev.oriel.cli.migration.SourceSchema.PrimaryKey;
import dev.oriel.cli.migration.SourceSchema.Sequence;
import dev.oriel.cli.migration.SourceSchema.Table;
import dev.oriel.cli.migration.SourceSchema.View;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads a schema of another product: by the metadata of JDBC, and by the product's own catalog for what that lacks.
final class SchemaReader {
    /// Names that products give to constraints and indexes for which the user has none.
    private static final Pattern MADE_UP =
            Pattern.compile("(sqlite_autoindex_|CONSTRAINT_|SYS_|PRIMARY_KEY_|SQL\\d).*");

    /// Sides of an index on which NULLs stand; here they have one.
    private static final Pattern NULLS = Pattern.compile(" NULLS (FIRST|LAST)");

    private static final Pattern NOT_NULL =
            Pattern.compile("[\\w.\" ]+ IS NOT NULL", Pattern.CASE_INSENSITIVE);

    private final Connection connection;
    private final DatabaseMetaData metadata;
    private final Product product;
    private final @Nullable String catalog;
    private final @Nullable String schema;

    /// @param schema its name; empty for the usual one of the product
    SchemaReader(Connection connection, Product product, String schema) throws SQLException {
        this.connection = connection;
        this.metadata = connection.getMetaData();
        this.product = product;
        this.catalog = connection.getCatalog();
        String named = schema.isEmpty() ? product.usualSchema : schema;
        this.schema = named.isEmpty() ? null : named;
    }

    SourceSchema read() throws SQLException {
        Map<String, List<Check>> checks = checks();
        Map<String, List<Index>> indexes = definedIndexes();
        Map<String, String> arrays = arrays();
        List<Table> tables = new ArrayList<>();
        for (Map.Entry<String, @Nullable String> entry : tableNames().entrySet()) {
            String name = entry.getKey();
            PrimaryKey key = primaryKey(name);
            List<Column> columns = columns(name, arrays);
            tables.add(
                    new Table(
                            name,
                            entry.getValue(),
                            key == null ? columns : withoutNull(columns, key),
                            key,
                            product.indexes.isEmpty() || product == Product.SQLITE
                                    ? indexes(name, key, indexes.getOrDefault(name, List.of()))
                                    : withUniques(name, key, indexes.getOrDefault(name, List.of())),
                            checks.getOrDefault(name, List.of()),
                            foreignKeys(name)));
        }
        return new SourceSchema(tables, sequences(), views());
    }

    private Map<String, @Nullable String> tableNames() throws SQLException {
        Map<String, @Nullable String> names = new LinkedHashMap<>();
        String[] types = {"TABLE", "BASE TABLE", "PARTITIONED TABLE"};
        try (ResultSet rows = metadata.getTables(catalog, schema, "%", types)) {
            while (rows.next()) {
                names.put(rows.getString("TABLE_NAME"), text(rows.getString("REMARKS")));
            }
        }
        return names;
    }

    private static @Nullable String text(@Nullable String remarks) {
        return remarks == null || remarks.isEmpty() ? null : remarks;
    }

    /// A name that is a name in patterns too.
    private String escaped(String name) throws SQLException {
        String escape = metadata.getSearchStringEscape();
        return escape == null || escape.isEmpty()
                ? name
                : name.replace(escape, escape + escape)
                        .replace("_", escape + "_")
                        .replace("%", escape + "%");
    }

    private List<Column> columns(String table, Map<String, String> arrays) throws SQLException {
        List<Column> columns = new ArrayList<>();
        try (ResultSet rows = metadata.getColumns(catalog, schema, escaped(table), "%")) {
            while (rows.next()) {
                if (!rows.getString("TABLE_NAME").equals(table)) {
                    continue; // the driver takes no escapes
                }
                String name = rows.getString("COLUMN_NAME");
                int jdbc = rows.getInt("DATA_TYPE");
                String typeName = rows.getString("TYPE_NAME");
                int size = rows.getInt("COLUMN_SIZE");
                int scale = rows.getInt("DECIMAL_DIGITS");
                boolean nullable = rows.getInt("NULLABLE") != DatabaseMetaData.columnNoNulls;
                String remarks = text(rows.getString("REMARKS"));
                String usual = rows.getString("COLUMN_DEF");
                boolean identity = "YES".equals(rows.getString("IS_AUTOINCREMENT"));
                boolean generated = "YES".equals(rows.getString("IS_GENERATEDCOLUMN"));
                if (generated && usual == null) {
                    usual = generation(table, name);
                    generated = usual != null;
                }
                String element = arrays.get(table + '\0' + name);
                ColumnType type =
                        element == null
                                ? ColumnType.of(jdbc, typeName, size, scale)
                                : ColumnType.arrayOf(element);
                columns.add(new Column(name, type, nullable, usual, identity, generated, remarks));
            }
        }
        return columns;
    }

    /// The expression of a generated column that the metadata does not give (HSQLDB); null if nobody has it.
    private @Nullable String generation(String table, String column) throws SQLException {
        if (product != Product.HSQLDB) {
            return null;
        }
        String query =
                "SELECT TABLE_NAME, COLUMN_NAME, GENERATION_EXPRESSION FROM INFORMATION_SCHEMA.COLUMNS"
                        + " WHERE TABLE_SCHEMA = ?";
        for (List<String> row : ask(query)) {
            if (row.get(0).equals(table) && row.get(1).equals(column) && row.get(2) != null) {
                return unqualified(row.get(2), table);
            }
        }
        return null;
    }

    /// SQLite says that columns of a primary key may be NULL.
    private static List<Column> withoutNull(List<Column> columns, PrimaryKey key) {
        return columns.stream()
                .map(column ->
                        key.columns().contains(column.name())
                                ? new Column(
                                        column.name(),
                                        column.type(),
                                        false,
                                        column.defaultText(),
                                        column.identity(),
                                        column.generated(),
                                        column.remarks())
                                : column)
                .toList();
    }

    private @Nullable PrimaryKey primaryKey(String table) throws SQLException {
        Map<Integer, String> columns = new TreeMap<>();
        String name = null;
        try (ResultSet rows = metadata.getPrimaryKeys(catalog, schema, table)) {
            while (rows.next()) {
                columns.put(rows.getInt("KEY_SEQ"), rows.getString("COLUMN_NAME"));
                name = rows.getString("PK_NAME");
            }
        }
        return columns.isEmpty() ? null : new PrimaryKey(own(name), List.copyOf(columns.values()));
    }

    private static @Nullable String own(@Nullable String name) {
        return name == null || name.isEmpty() || MADE_UP.matcher(name).matches() ? null : name;
    }

    /// Indexes by the metadata, with those of `defined` in the place of theirs.
    private List<Index> indexes(String table, @Nullable PrimaryKey key, List<Index> defined)
            throws SQLException {
        Map<String, List<String>> columns = new LinkedHashMap<>();
        Map<String, Boolean> unique = new HashMap<>();
        Map<String, List<String>> names = new HashMap<>();
        try (ResultSet rows = metadata.getIndexInfo(catalog, schema, table, false, true)) {
            while (rows.next()) {
                String name = rows.getString("INDEX_NAME");
                String column = rows.getString("COLUMN_NAME");
                if (name == null || column == null) {
                    continue;
                }
                String direction = "D".equals(rows.getString("ASC_OR_DESC")) ? " DESC" : "";
                columns.computeIfAbsent(name, _ -> new ArrayList<>())
                        .add(Definitions.quoted(column) + direction);
                names.computeIfAbsent(name, _ -> new ArrayList<>()).add(column);
                unique.put(name, !rows.getBoolean("NON_UNIQUE"));
            }
        }
        List<Index> indexes = new ArrayList<>(defined);
        List<String> known = defined.stream().map(index -> String.valueOf(index.name())).toList();
        for (Map.Entry<String, List<String>> entry : columns.entrySet()) {
            String name = entry.getKey();
            boolean isKey = key != null && key.columns().equals(names.get(name));
            if (!known.contains(name) && !(isKey && Boolean.TRUE.equals(unique.get(name)))) {
                indexes.add(
                        new Index(
                                own(name),
                                Boolean.TRUE.equals(unique.get(name)),
                                entry.getValue(),
                                null));
            }
        }
        return indexes;
    }

    /// The indexes of `defined`, and those of unique constraints.
    private List<Index> withUniques(String table, @Nullable PrimaryKey key, List<Index> defined)
            throws SQLException {
        List<String> known = defined.stream().map(index -> String.valueOf(index.name())).toList();
        return indexes(table, key, List.of()).stream()
                .filter(index -> index.name() == null || !known.contains(index.name()))
                .collect(
                        Collectors.collectingAndThen(
                                Collectors.toList(),
                                uniques -> {
                                    uniques.addAll(defined);
                                    return uniques;
                                }));
    }

    private List<ForeignKey> foreignKeys(String table) throws SQLException {
        List<ForeignKey> keys = new ArrayList<>();
        List<String> columns = new ArrayList<>();
        List<String> parents = new ArrayList<>();
        try (ResultSet rows = metadata.getImportedKeys(catalog, schema, table)) {
            while (rows.next()) {
                if (rows.getInt("KEY_SEQ") == 1) {
                    columns = new ArrayList<>();
                    parents = new ArrayList<>();
                    keys.add(
                            new ForeignKey(
                                    own(rows.getString("FK_NAME")),
                                    columns,
                                    rows.getString("PKTABLE_NAME"),
                                    parents,
                                    actions(rows)));
                }
                columns.add(rows.getString("FKCOLUMN_NAME"));
                String parent = rows.getString("PKCOLUMN_NAME");
                if (parent != null && !parent.isEmpty()) {
                    parents.add(parent);
                }
            }
        }
        return keys;
    }

    private static String actions(ResultSet row) throws SQLException {
        String deferred =
                row.getInt("DEFERRABILITY") == DatabaseMetaData.importedKeyInitiallyDeferred
                        ? " INITIALLY DEFERRED"
                        : "";
        return action(" ON DELETE", row.getInt("DELETE_RULE"))
                + action(" ON UPDATE", row.getInt("UPDATE_RULE"))
                + deferred;
    }

    private static String action(String event, int rule) {
        return switch (rule) {
            case DatabaseMetaData.importedKeyCascade -> event + " CASCADE";
            case DatabaseMetaData.importedKeySetNull -> event + " SET NULL";
            case DatabaseMetaData.importedKeySetDefault -> event + " SET DEFAULT";
            default -> "";
        };
    }

    /// By table: conditions of checks, and the values of enumerations as conditions.
    private Map<String, List<Check>> checks() throws SQLException {
        Map<String, List<Check>> checks = new HashMap<>();
        for (List<String> row : ask(product.checks)) {
            String table = row.get(0);
            if (product == Product.SQLITE) {
                for (String condition : SqliteChecks.of(row.get(2))) {
                    checks.computeIfAbsent(table, _ -> new ArrayList<>())
                            .add(new Check(null, condition));
                }
                continue;
            }
            String condition = row.get(2);
            if (!NOT_NULL.matcher(condition).matches()) {
                checks.computeIfAbsent(table, _ -> new ArrayList<>())
                        .add(new Check(own(row.get(1)), unqualified(condition, table)));
            }
        }
        Map<List<String>, List<String>> values = new LinkedHashMap<>();
        for (List<String> row : ask(product.enumerations)) {
            values.computeIfAbsent(row.subList(0, 2), _ -> new ArrayList<>())
                    .add(Definitions.literal(row.get(2)));
        }
        values.forEach((column, literals) ->
                checks.computeIfAbsent(column.get(0), _ -> new ArrayList<>())
                        .add(
                                new Check(
                                        null,
                                        Definitions.quoted(column.get(1))
                                                + " IN ("
                                                + String.join(", ", literals)
                                                + ")")));
        return checks;
    }

    /// `condition` without the schema and the table before its columns, which HSQLDB writes there.
    private String unqualified(String condition, String table) {
        return condition.replace(schema + "." + table + ".", "");
    }

    private Map<String, List<Index>> definedIndexes() throws SQLException {
        Map<String, List<Index>> indexes = new HashMap<>();
        for (List<String> row : ask(product.indexes)) {
            indexes.computeIfAbsent(row.get(0), _ -> new ArrayList<>())
                    .add(
                            new Index(
                                    row.get(1),
                                    false,
                                    List.of(),
                                    NULLS.matcher(row.get(2)).replaceAll("")));
        }
        return indexes;
    }

    private Map<String, String> arrays() throws SQLException {
        Map<String, String> arrays = new HashMap<>();
        for (List<String> row : ask(product.arrays)) {
            arrays.put(row.get(0) + '\0' + row.get(1), row.get(2));
        }
        return arrays;
    }

    private List<Sequence> sequences() throws SQLException {
        List<Sequence> sequences = new ArrayList<>();
        for (List<String> row : ask(product.sequences)) {
            long least = number(row.get(3));
            long greatest = number(row.get(4));
            long next = row.get(1) == null ? least : number(row.get(1));
            boolean cycles = List.of("YES", "Y", "true").contains(row.get(5));
            sequences.add(
                    new Sequence(row.get(0), next, number(row.get(2)), least, greatest, cycles));
        }
        return sequences;
    }

    /// The number in `text`, or the nearest that a sequence can give here.
    private static long number(String text) {
        BigDecimal number = new BigDecimal(text);
        return number.min(BigDecimal.valueOf(Long.MAX_VALUE))
                .max(BigDecimal.valueOf(Long.MIN_VALUE))
                .longValue();
    }

    private List<View> views() throws SQLException {
        List<View> views = new ArrayList<>();
        for (List<String> row : ask(product.views)) {
            views.add(new View(row.get(0), row.get(1).replaceFirst(";\\s*$", "")));
        }
        return views;
    }

    /// The rows of a question to the catalog; its parameter, if there is one, is the schema.
    private List<List<String>> ask(String query) throws SQLException {
        List<List<String>> found = new ArrayList<>();
        if (query.isEmpty()) {
            return found;
        }
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            if (query.indexOf('?') >= 0) {
                statement.setString(1, schema);
            }
            try (ResultSet rows = statement.executeQuery()) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    List<String> row = new ArrayList<>();
                    for (int i = 1; i <= columns; i++) {
                        row.add(rows.getString(i));
                    }
                    found.add(row);
                }
            }
        }
        return found;
    }
}
