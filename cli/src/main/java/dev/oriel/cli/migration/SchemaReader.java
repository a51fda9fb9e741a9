package dev.oriel.cli.migration;

import dev.oriel.cli.migration.ColumnType.Kind;
import dev.oriel.cli.migration.SourceSchema.Check;
import dev.oriel.cli.migration.SourceSchema.Clause;
import dev.oriel.cli.migration.SourceSchema.Column;
import dev.oriel.cli.migration.SourceSchema.Domain;
import dev.oriel.cli.migration.SourceSchema.Enumeration;
import dev.oriel.cli.migration.SourceSchema.ForeignKey;
import dev.oriel.cli.migration.SourceSchema.Identity;
import dev.oriel.cli.migration.SourceSchema.Index;
import dev.oriel.cli.migration.SourceSchema.Loss;
import dev.oriel.cli.migration.SourceSchema.PrimaryKey;
import dev.oriel.cli.migration.SourceSchema.Table;
import dev.oriel.cli.migration.SourceSchema.View;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads a schema of another product: from JDBC's metadata, and the rest from the product's own catalog.
final class SchemaReader {
    /// Names that products generate for unnamed constraints and indexes.
    private static final Pattern MADE_UP =
            Pattern.compile("(sqlite_autoindex_|CONSTRAINT_|SYS_|PRIMARY_KEY_|SQL\\d).*");

    /// Clauses dropped from index definitions: the position of NULLs, fixed in Oriel, and clauses mentioned in the
    /// report.
    private static final Pattern NULLS =
            Pattern.compile(" NULLS (FIRST|LAST|NOT DISTINCT)| INCLUDE \\([^)]*\\)");

    private static final Pattern NOT_NULL =
            Pattern.compile("[\\w.\" ]+ IS NOT NULL", Pattern.CASE_INSENSITIVE);

    private final DatabaseMetaData metadata;
    private final Product product;
    private final @Nullable String database;
    private final @Nullable String schema;
    private final Catalog catalog;
    private final CatalogQueries queries;
    private final NumberReader numbers;
    private final List<Loss> left = new ArrayList<>();
    private final List<Loss> different = new ArrayList<>();

    /// @param schema its name; empty for the default one of the product
    SchemaReader(Connection connection, Product product, String schema) throws SQLException {
        this.metadata = connection.getMetaData();
        this.product = product;
        this.database = connection.getCatalog();
        String named = schema.isEmpty() ? product.usualSchema : schema;
        this.schema = named.isEmpty() ? null : named;
        this.catalog = new Catalog(connection, product, named);
        this.queries = CatalogQueries.of(product);
        this.numbers = new NumberReader(catalog, product);
        if (product == Product.POSTGRESQL) {
            try (Statement statement = connection.createStatement()) {
                // so that its catalog writes names of this schema unqualified
                statement.execute("SET search_path TO " + Definitions.quoted(named));
            }
        }
    }

    SourceSchema read() throws SQLException {
        Losses losses = Losses.of(product);
        left.addAll(catalog.losses(losses.left()));
        different.addAll(catalog.losses(losses.different()));
        Map<String, List<Check>> checks = checks();
        Map<String, List<Index>> indexes = definedIndexes();
        Map<String, String> arrays = named(product.arrays);
        List<Domain> domains = domains();
        Map<String, ColumnType> types = types(domains);
        Map<String, Identity> identities = numbers.identities();
        Map<String, String> drawn = named(queries.drawn());
        List<Table> tables = new ArrayList<>();
        for (Map.Entry<String, @Nullable String> entry : tableNames().entrySet()) {
            String name = entry.getKey();
            PrimaryKey key = primaryKey(name);
            List<Column> columns = columns(name, arrays, types);
            for (int i = 0; i < columns.size(); i++) {
                Column column = columns.get(i);
                String place = place(name, column.name());
                columns.set(i, numbered(column, identities.get(place), drawn.get(place)));
            }
            if (columns.isEmpty()) {
                left.add(new Loss("table " + name, "a table needs a column here"));
                continue;
            }
            tables.add(
                    new Table(
                            name,
                            from(name),
                            entry.getValue(),
                            key == null ? columns : withoutNull(columns, key),
                            key,
                            product.indexes.isEmpty() || product == Product.SQLITE
                                    ? indexes(name, key, indexes.getOrDefault(name, List.of()))
                                    : withUniques(name, indexes.getOrDefault(name, List.of())),
                            checks.getOrDefault(name, List.of()),
                            foreignKeys(name)));
        }
        return new SourceSchema(
                enumerations(),
                domains,
                tables,
                numbers.sequences(),
                views(),
                clauses(),
                left,
                different);
    }

    /// ON UPDATE and DEFAULT ON NULL of columns.
    private List<Clause> clauses() throws SQLException {
        if (product != Product.H2) {
            return List.of();
        }
        String query =
                "SELECT TABLE_NAME, COLUMN_NAME, COALESCE(COLUMN_ON_UPDATE, ''), DEFAULT_ON_NULL"
                        + " FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = ?"
                        + " AND (COLUMN_ON_UPDATE IS NOT NULL OR DEFAULT_ON_NULL) ORDER BY 1, 2";
        List<Clause> clauses = new ArrayList<>();
        for (List<String> row : catalog.ask(query)) {
            String name = row.get(0) + "." + row.get(1);
            if (!row.get(2).isEmpty()) {
                clauses.add(
                        new Clause(
                                row.get(0),
                                "ON UPDATE of " + name,
                                Definitions.set(
                                        row.get(0), row.get(1), "ON UPDATE " + row.get(2))));
            }
            if ("TRUE".equals(row.get(3))) {
                clauses.add(
                        new Clause(
                                row.get(0),
                                "DEFAULT ON NULL of " + name,
                                Definitions.set(row.get(0), row.get(1), "DEFAULT ON NULL")));
            }
        }
        return clauses;
    }

    static String place(String table, String column) {
        return table + '\0' + column;
    }

    /// `column` with its number generator: its own identity, or a shared sequence as its default.
    private static Column numbered(
            Column column, @Nullable Identity identity, @Nullable String sequence) {
        return sequence == null
                ? column.numbered(identity)
                : new Column(
                        column.name(),
                        column.type(),
                        column.nullable(),
                        "NEXT VALUE FOR " + Definitions.quoted(sequence),
                        null,
                        false,
                        column.remarks());
    }

    /// Returns the FROM item of the table. In PostgreSQL it needs ONLY, to leave out the rows of inheriting
    /// tables.
    private String from(String table) throws SQLException {
        boolean whole = product != Product.POSTGRESQL || partitioned().contains(table);
        return (whole ? "" : "ONLY ") + catalog.from(table);
    }

    private Set<String> partitioned() throws SQLException {
        return firsts(
                "SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                        + " WHERE n.nspname = ? AND c.relkind = 'p'");
    }

    private Set<String> firsts(String query) throws SQLException {
        return catalog.ask(query).stream().map(row -> row.get(0)).collect(Collectors.toSet());
    }

    /// Returns the partitions of other tables; their rows are read with their tables.
    private Set<String> parts() throws SQLException {
        return switch (product) {
            case POSTGRESQL ->
                    firsts(
                            "SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                                    + " WHERE n.nspname = ? AND c.relispartition");
            case SQLITE ->
                    firsts(
                            "SELECT name FROM pragma_table_list WHERE type IN ('shadow', 'virtual')");
            case H2, HSQLDB, DERBY -> Set.of();
        };
    }

    private Map<String, @Nullable String> tableNames() throws SQLException {
        Map<String, @Nullable String> names = new LinkedHashMap<>();
        String[] types = {"TABLE", "BASE TABLE", "PARTITIONED TABLE"};
        try (ResultSet rows = metadata.getTables(database, schema, "%", types)) {
            while (rows.next()) {
                names.put(rows.getString("TABLE_NAME"), text(rows.getString("REMARKS")));
            }
        }
        names.keySet().removeAll(parts());
        return names;
    }

    private static @Nullable String text(@Nullable String remarks) {
        return remarks == null || remarks.isEmpty() ? null : remarks;
    }

    /// Escapes a name for use in a pattern.
    private String escaped(String name) throws SQLException {
        String escape = metadata.getSearchStringEscape();
        return escape == null || escape.isEmpty()
                ? name
                : name.replace(escape, escape + escape)
                        .replace("_", escape + "_")
                        .replace("%", escape + "%");
    }

    private List<Column> columns(
            String table, Map<String, String> arrays, Map<String, ColumnType> types)
            throws SQLException {
        List<Column> columns = new ArrayList<>();
        try (ResultSet rows = metadata.getColumns(database, schema, escaped(table), "%")) {
            while (rows.next()) {
                if (!rows.getString("TABLE_NAME").equals(table)) {
                    continue; // the driver takes no escapes
                }
                if (rows.getInt("DATA_TYPE") == Types.JAVA_OBJECT && product == Product.DERBY) {
                    left.add(
                            new Loss(
                                    "column " + table + "." + rows.getString("COLUMN_NAME"),
                                    "it holds objects of Java, type "
                                            + rows.getString("TYPE_NAME")));
                    continue;
                }
                columns.add(column(table, rows, arrays, types));
            }
        }
        if (product == Product.H2) {
            addInvisible(table, columns, arrays, types);
        }
        return columns;
    }

    private Column column(
            String table, ResultSet rows, Map<String, String> arrays, Map<String, ColumnType> types)
            throws SQLException {
        String name = rows.getString("COLUMN_NAME");
        int jdbc = rows.getInt("DATA_TYPE");
        String typeName = rows.getString("TYPE_NAME");
        int size = rows.getInt("COLUMN_SIZE");
        int scale = rows.getInt("DECIMAL_DIGITS");
        boolean nullable = rows.getInt("NULLABLE") != DatabaseMetaData.columnNoNulls;
        String remarks = text(rows.getString("REMARKS"));
        String usual = rows.getString("COLUMN_DEF");
        boolean generated = "YES".equals(rows.getString("IS_GENERATEDCOLUMN"));
        if (generated && usual == null) {
            usual = generation(table, name);
            generated = usual != null;
        }
        ColumnType type =
                type(table, name, arrays, types, ColumnType.of(jdbc, typeName, size, scale));
        if (type.kind() == Kind.ARRAY && product == Product.POSTGRESQL) {
            noteBounds(table, name);
        }
        return new Column(name, type, nullable, usual, null, generated, remarks);
    }

    private static ColumnType type(
            String table,
            String column,
            Map<String, String> arrays,
            Map<String, ColumnType> types,
            ColumnType usual) {
        ColumnType own = types.get(place(table, column));
        String element = arrays.get(place(table, column));
        return own != null ? own : element == null ? usual : ColumnType.arrayOf(element);
    }

    /// Adds columns that the metadata of H2 hides.
    private void addInvisible(
            String table,
            List<Column> columns,
            Map<String, String> arrays,
            Map<String, ColumnType> types)
            throws SQLException {
        String query =
                "SELECT TABLE_NAME, COLUMN_NAME, COALESCE(COLUMN_DEFAULT, GENERATION_EXPRESSION), IS_NULLABLE,"
                        + " IS_GENERATED, REMARKS, ORDINAL_POSITION FROM INFORMATION_SCHEMA.COLUMNS"
                        + " WHERE TABLE_SCHEMA = ? AND NOT IS_VISIBLE ORDER BY ORDINAL_POSITION";
        for (List<String> row : catalog.ask(query)) {
            String name = row.get(1);
            boolean there = columns.stream().anyMatch(column -> column.name().equals(name));
            if (!row.get(0).equals(table) || there) {
                continue;
            }
            ColumnType type =
                    catalog.describe(Definitions.quoted(name), " FROM " + catalog.from(table));
            columns.add(
                    Math.min(columns.size(), Integer.parseInt(row.get(6)) - 1),
                    new Column(
                            name,
                            type(table, name, arrays, types, type),
                            "YES".equals(row.get(3)),
                            row.get(2),
                            null,
                            "ALWAYS".equals(row.get(4)),
                            text(row.get(5))));
        }
    }

    /// Notes arrays with another lower bound than 1, the only one here.
    private void noteBounds(String table, String column) throws SQLException {
        String query =
                "SELECT 1 FROM %s WHERE array_lower(%s, 1) <> 1 LIMIT 1"
                        .formatted(catalog.from(table), Definitions.quoted(column));
        if (!catalog.ask(query).isEmpty()) {
            different.add(
                    new Loss(
                            "column " + table + "." + column,
                            "some of its arrays begin at another index than 1; they begin at 1 here"));
        }
    }

    /// Returns the expression of a generated column from the catalog of HSQLDB, whose metadata lacks it; null if
    /// there is none.
    private @Nullable String generation(String table, String column) throws SQLException {
        if (product != Product.HSQLDB) {
            return null;
        }
        String query =
                "SELECT TABLE_NAME, COLUMN_NAME, GENERATION_EXPRESSION FROM INFORMATION_SCHEMA.COLUMNS"
                        + " WHERE TABLE_SCHEMA = ?";
        for (List<String> row : catalog.ask(query)) {
            if (row.get(0).equals(table) && row.get(1).equals(column) && row.get(2) != null) {
                return unqualified(row.get(2), table);
            }
        }
        return null;
    }

    /// Makes the columns of a primary key NOT NULL; SQLite reports them as nullable.
    private static List<Column> withoutNull(List<Column> columns, PrimaryKey key) {
        return columns.stream()
                .map(column ->
                        key.columns().contains(column.name()) ? column.withoutNull() : column)
                .toList();
    }

    private @Nullable PrimaryKey primaryKey(String table) throws SQLException {
        Map<Integer, String> columns = new TreeMap<>();
        String name = null;
        try (ResultSet rows = metadata.getPrimaryKeys(database, schema, table)) {
            while (rows.next()) {
                columns.put(rows.getInt("KEY_SEQ"), rows.getString("COLUMN_NAME"));
                name = rows.getString("PK_NAME");
            }
        }
        if (product == Product.SQLITE) {
            columns.clear(); // the driver parses them from the text, with DESC and the like
            String query =
                    "SELECT name, pk FROM pragma_table_xinfo("
                            + Definitions.literal(table)
                            + ") WHERE pk > 0";
            for (List<String> row : catalog.ask(query)) {
                columns.put(Integer.valueOf(row.get(1)), row.get(0));
            }
        }
        if (product == Product.POSTGRESQL && name != null) {
            return new PrimaryKey(name, keyColumns(table, 'p').getOrDefault(name, List.of()));
        }
        return columns.isEmpty() ? null : new PrimaryKey(own(name), List.copyOf(columns.values()));
    }

    /// Returns the columns of PostgreSQL's primary key or unique constraints, without INCLUDE columns.
    private Map<String, List<String>> keyColumns(String table, char kind) throws SQLException {
        Map<String, List<String>> keys = new LinkedHashMap<>();
        String query =
                """
                SELECT k.conname, a.attname, t.relname FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid
                JOIN pg_namespace n ON n.oid = t.relnamespace CROSS JOIN unnest(k.conkey) WITH ORDINALITY u (no, place)
                JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = u.no
                WHERE n.nspname = ? AND k.contype = '%s' ORDER BY k.conname, u.place\
                """
                        .formatted(kind);
        for (List<String> row : catalog.ask(query)) {
            if (row.get(2).equals(table)) {
                keys.computeIfAbsent(row.get(0), _ -> new ArrayList<>()).add(row.get(1));
            }
        }
        return keys;
    }

    private static @Nullable String own(@Nullable String name) {
        return name == null || name.isEmpty() || MADE_UP.matcher(name).matches() ? null : name;
    }

    /// Returns the indexes of the metadata, replaced by the indexes of `defined` with the same names.
    private List<Index> indexes(String table, @Nullable PrimaryKey key, List<Index> defined)
            throws SQLException {
        Map<String, List<String>> columns = new LinkedHashMap<>();
        Map<String, Boolean> unique = new HashMap<>();
        Map<String, List<String>> names = new HashMap<>();
        try (ResultSet rows = metadata.getIndexInfo(database, schema, table, false, true)) {
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

    /// Returns the indexes of `defined` and of unique constraints.
    private List<Index> withUniques(String table, List<Index> defined) throws SQLException {
        List<Index> indexes = new ArrayList<>();
        keyColumns(table, 'u')
                .forEach((name, columns) ->
                        indexes.add(
                                new Index(
                                        name,
                                        true,
                                        columns.stream().map(Definitions::quoted).toList(),
                                        null)));
        indexes.addAll(defined);
        return indexes;
    }

    private List<ForeignKey> foreignKeys(String table) throws SQLException {
        List<ForeignKey> keys = new ArrayList<>();
        List<String> columns = new ArrayList<>();
        List<String> parents = new ArrayList<>();
        try (ResultSet rows = metadata.getImportedKeys(database, schema, table)) {
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

    /// Returns the check conditions by table.
    private Map<String, List<Check>> checks() throws SQLException {
        Map<String, List<Check>> checks = new HashMap<>();
        for (List<String> row : catalog.ask(product.checks)) {
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
        return checks;
    }

    /// Returns `condition` without the schema and table that HSQLDB writes before its columns.
    private String unqualified(String condition, String table) {
        return condition.replace(schema + "." + table + ".", "");
    }

    private Map<String, List<Index>> definedIndexes() throws SQLException {
        Map<String, List<Index>> indexes = new HashMap<>();
        for (List<String> row : catalog.ask(product.indexes)) {
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

    /// Returns the third column of the answer, by table and column.
    private Map<String, String> named(String query) throws SQLException {
        Map<String, String> names = new HashMap<>();
        for (List<String> row : catalog.ask(query)) {
            names.put(place(row.get(0), row.get(1)), row.get(2));
        }
        return names;
    }

    private List<Enumeration> enumerations() throws SQLException {
        Map<String, List<String>> labels = new LinkedHashMap<>();
        for (List<String> row : catalog.ask(queries.labels())) {
            labels.computeIfAbsent(row.get(0), _ -> new ArrayList<>()).add(row.get(1));
        }
        return labels.entrySet().stream()
                .map(entry -> new Enumeration(entry.getKey(), entry.getValue()))
                .toList();
    }

    private List<Domain> domains() throws SQLException {
        Map<String, List<Check>> checks = new HashMap<>();
        for (List<String> row : catalog.ask(queries.conditions())) {
            checks.computeIfAbsent(row.get(0), _ -> new ArrayList<>())
                    .add(new Check(own(row.get(1)), row.get(2)));
        }
        List<Domain> domains = new ArrayList<>();
        for (List<String> row : catalog.ask(queries.domains())) {
            String name = row.get(0);
            domains.add(
                    new Domain(
                            name,
                            catalog.underDomain(name),
                            row.get(1),
                            row.get(2),
                            "YES".equals(row.get(3)),
                            checks.getOrDefault(name, List.of())));
        }
        return domains;
    }

    /// Returns the types of columns with an enumeration or a domain.
    private Map<String, ColumnType> types(List<Domain> domains) throws SQLException {
        Map<String, ColumnType> types = new HashMap<>();
        named(queries.typed())
                .forEach((column, name) -> {
                    ColumnType under =
                            domains.stream()
                                    .filter(domain -> domain.name().equals(name))
                                    .map(Domain::type)
                                    .findFirst()
                                    .orElse(ColumnType.same(Kind.TEXT, "TEXT"));
                    types.put(column, under.named(name));
                });
        return types;
    }

    private List<View> views() throws SQLException {
        List<View> views = new ArrayList<>();
        for (List<String> row : catalog.ask(product.views)) {
            views.add(new View(row.get(0), row.get(1).replaceFirst(";\\s*$", "")));
        }
        return views;
    }
}
