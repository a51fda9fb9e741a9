package dev.oriel;

import dev.oriel.sql.Prepared;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.View;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Metadata of the database, as the connection's next statement sees it. There are no catalogs: their columns are
/// NULL, and asking for one by name finds nothing.
final class JdbcDatabaseMetaData extends MetaDataListings {
    private static final String LOCAL_TEMPORARY = "LOCAL TEMPORARY";
    private static final String MATERIALIZED_VIEW = "MATERIALIZED VIEW";
    private static final String SYSTEM_TABLE = "SYSTEM TABLE";
    private static final String TABLE = "TABLE";
    private static final String VIEW = "VIEW";

    /// The types of tables, in the order in which they are listed.
    private static final List<String> TABLE_TYPES =
            List.of(LOCAL_TEMPORARY, MATERIALIZED_VIEW, SYSTEM_TABLE, TABLE, VIEW);

    private static final Comparator<Table> BY_NAME =
            Comparator.comparing((Table table) -> called(table.schema()))
                    .thenComparing(Table::name, String.CASE_INSENSITIVE_ORDER);

    JdbcDatabaseMetaData(JdbcConnection connection) {
        super(connection);
    }

    /// The tables that match a call's arguments; a null pattern matches all.
    private List<Table> tables(
            @Nullable String catalog, @Nullable String schema, @Nullable String pattern)
            throws SQLException {
        List<Table> found = new ArrayList<>();
        Pattern names = pattern(pattern);
        for (Table table : connection().catalog().tables()) {
            if (isNone(catalog)
                    && isIn(schema, table.schema())
                    && names.matcher(table.name()).matches()) {
                found.add(table);
            }
        }
        for (ExternalTable external : connection().catalog().externals()) {
            if (isNone(catalog) && isIn(schema, "") && names.matcher(external.name()).matches()) {
                // Listed as a table: its columns are the same as if it were not in a file.
                found.add(
                        new Table(
                                external.id(),
                                external.name(),
                                external.columns(),
                                List.of(),
                                List.of()));
            }
        }
        return found;
    }

    /// The system tables that match a call's arguments. A call for all schemas does not ask for them.
    private List<Table> systemTables(
            @Nullable String catalog, @Nullable String schema, @Nullable String pattern)
            throws SQLException {
        connection().checkOpen();
        Pattern names = pattern(pattern);
        return connection().origin().engine().get().sql().systemTables().stream()
                .filter(table -> isNone(catalog) && isIn(schema, table.schema()))
                .filter(table -> names.matcher(table.name()).matches())
                .toList();
    }

    /// The tables of this name, one in each matching schema; all tables if it is null, as in PostgreSQL.
    private List<Table> table(
            @Nullable String catalog, @Nullable String schema, @Nullable String name)
            throws SQLException {
        return connection().catalog().tables().stream()
                .filter(table -> name == null || table.name().equalsIgnoreCase(name))
                .filter(_ -> isNone(catalog))
                .filter(table -> isIn(schema, table.schema()))
                .sorted(BY_NAME)
                .toList();
    }

    private static boolean isNone(@Nullable String name) {
        return name == null || name.isEmpty() || name.equals("%");
    }

    /// Whether a name or pattern of a schema matches `own`. An empty one asks for what is in no schema.
    private static boolean isIn(@Nullable String schema, String own) {
        return schema == null || pattern(schema).matcher(called(own)).matches();
    }

    /// `%` is any text, `_` any character, `\` escapes the next one.
    static Pattern pattern(@Nullable String like) {
        StringBuilder regex = new StringBuilder();
        String text = like == null ? "%" : like;
        int[] all = text.codePoints().toArray(); // half of a pair of surrogates would match nothing
        for (int i = 0; i < all.length; i++) {
            int c = all[i];
            if (c == '%') {
                regex.append(".*");
            } else if (c == '_') {
                regex.append('.');
            } else {
                boolean escape = c == '\\' && i + 1 < all.length;
                regex.append(Pattern.quote(Character.toString(escape ? all[++i] : c)));
            }
        }
        return Pattern.compile(
                regex.toString(), Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL);
    }

    @Override
    public ResultSet getTables(
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String pattern,
            String @Nullable [] types)
            throws SQLException {
        Listing listing =
                new Listing(
                        "TABLE_CAT",
                        "TABLE_SCHEM",
                        "TABLE_NAME",
                        "TABLE_TYPE",
                        "REMARKS",
                        "TYPE_CAT",
                        "TYPE_SCHEM",
                        "TYPE_NAME",
                        "SELF_REFERENCING_COL_NAME",
                        "REF_GENERATION");
        List<ListedTable> found = new ArrayList<>();
        for (Table table : tables(catalog, schema, pattern)) {
            found.add(listed(typeOf(table), table.schema(), table.name(), table.id()));
        }
        for (View view : views(catalog, schema, pattern)) {
            boolean partition = connection().catalog().partition(view.id()) != null;
            found.add(listed(partition ? TABLE : VIEW, view.schema(), view.name(), view.id()));
        }
        if (types == null ? !isNone(schema) : Arrays.asList(types).contains(SYSTEM_TABLE)) {
            for (Table table : systemTables(catalog, schema, pattern)) {
                found.add(new ListedTable(SYSTEM_TABLE, table.schema(), table.name(), null));
            }
        }
        found.stream()
                .filter(each -> types == null || Arrays.asList(types).contains(each.type))
                .sorted(
                        Comparator.comparing(ListedTable::type)
                                .thenComparing(ListedTable::schema)
                                .thenComparing(ListedTable::name, String.CASE_INSENSITIVE_ORDER))
                .forEach(each ->
                        listing.add(
                                null,
                                each.schema,
                                each.name,
                                each.type,
                                each.remarks,
                                null,
                                null,
                                null,
                                null,
                                null));
        return listing.open(connection());
    }

    /// A row of the tables.
    private record ListedTable(String type, String schema, String name, @Nullable String remarks) {}

    private ListedTable listed(String type, String schema, String name, long id)
            throws SQLException {
        return new ListedTable(type, called(schema), name, remarks(id, Comments.Subject.WHOLE));
    }

    private String typeOf(Table table) throws SQLException {
        return connection().catalog().materialized(table.id()) != null
                ? MATERIALIZED_VIEW
                : table.temporary() ? LOCAL_TEMPORARY : TABLE;
    }

    @Override
    public ResultSet getTableTypes() throws SQLException {
        connection().checkOpen();
        Listing listing = new Listing("TABLE_TYPE");
        TABLE_TYPES.forEach(listing::add);
        return listing.open(connection());
    }

    @Override
    public ResultSet getColumns(
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String pattern,
            @Nullable String columnPattern)
            throws SQLException {
        Listing listing = columnListing();
        Pattern names = pattern(columnPattern);
        List<Table> tables = tables(catalog, schema, pattern);
        for (View view : views(catalog, schema, pattern)) {
            tables.add(asTable(view));
        }
        if (!isNone(schema)) {
            tables.addAll(systemTables(catalog, schema, pattern));
        }
        tables.sort(BY_NAME);
        for (Table table : tables) {
            for (int i = 0; i < table.columns().size(); i++) {
                if (names.matcher(table.columns().get(i).name()).matches()) {
                    addColumn(listing, table, i);
                }
            }
        }
        return listing.open(connection());
    }

    private List<View> views(
            @Nullable String catalog, @Nullable String schema, @Nullable String pattern)
            throws SQLException {
        Pattern names = pattern(pattern);
        return connection().catalog().views().stream()
                .filter(view -> isNone(catalog) && isIn(schema, view.schema()))
                .filter(view -> names.matcher(view.name()).matches())
                .toList();
    }

    /// A view as a table, with the types of its query.
    private Table asTable(View view) throws SQLException {
        String quoted = quoted(called(view.schema())) + "." + quoted(view.name());
        List<Column> columns = new ArrayList<>();
        try (Prepared query = connection().prepare("SELECT * FROM " + quoted)) {
            for (Prepared.OutputColumn column : query.columns()) {
                columns.add(new Column(column.name(), column.type(), column.nullable()));
            }
        }
        return new Table(view.id(), view.name(), columns, List.of(), List.of())
                .withSchema(view.schema());
    }

    static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    private static Listing columnListing() {
        return new Listing(
                "TABLE_CAT",
                "TABLE_SCHEM",
                "TABLE_NAME",
                "COLUMN_NAME",
                "DATA_TYPE INTEGER",
                "TYPE_NAME",
                "COLUMN_SIZE INTEGER",
                "BUFFER_LENGTH INTEGER",
                "DECIMAL_DIGITS INTEGER",
                "NUM_PREC_RADIX INTEGER",
                "NULLABLE INTEGER",
                "REMARKS",
                "COLUMN_DEF",
                "SQL_DATA_TYPE INTEGER",
                "SQL_DATETIME_SUB INTEGER",
                "CHAR_OCTET_LENGTH INTEGER",
                "ORDINAL_POSITION INTEGER",
                "IS_NULLABLE",
                "SCOPE_CATALOG",
                "SCOPE_SCHEMA",
                "SCOPE_TABLE",
                "SOURCE_DATA_TYPE SMALLINT",
                "IS_AUTOINCREMENT",
                "IS_GENERATEDCOLUMN");
    }

    private @Nullable String remarks(long of, Comments.Subject subject) throws SQLException {
        return connection().catalog().comments(of).text(subject);
    }

    private void addColumn(Listing listing, Table table, int at) throws SQLException {
        Column column = table.columns().get(at);
        Type type = column.type();
        int precision = JdbcTypes.precision(type);
        ColumnDefault filling = column.filling();
        listing.add(
                null,
                called(table.schema()),
                table.name(),
                column.name(),
                JdbcTypes.code(type),
                JdbcTypes.name(type),
                precision,
                null,
                JdbcTypes.decimalDigits(type),
                JdbcTypes.isSigned(type) ? 10 : null,
                column.allowsNull() ? columnNullable : columnNoNulls,
                remarks(table.id(), Comments.Subject.column(column.name())),
                filling instanceof ColumnDefault.Default value ? value.expression() : null,
                null,
                null,
                JdbcTypes.isText(type) ? precision : null,
                at + 1,
                column.allowsNull() ? "YES" : "NO",
                null,
                null,
                null,
                null,
                filling instanceof ColumnDefault.Identity ? "YES" : "NO",
                column.generated() ? "YES" : "NO");
    }

    @Override
    public ResultSet getPrimaryKeys(
            @Nullable String catalog, @Nullable String schema, @Nullable String name)
            throws SQLException {
        Listing listing =
                new Listing(
                        "TABLE_CAT",
                        "TABLE_SCHEM",
                        "TABLE_NAME",
                        "COLUMN_NAME",
                        "KEY_SEQ SMALLINT",
                        "PK_NAME");
        for (Table table : table(catalog, schema, name)) {
            List<Integer> key = table.primaryKey();
            List<Integer> byName = new ArrayList<>(key);
            byName.sort(Comparator.comparing(at -> table.columns().get(at).name()));
            for (int at : byName) {
                String column = table.columns().get(at).name();
                listing.add(
                        null,
                        called(table.schema()),
                        table.name(),
                        column,
                        key.indexOf(at) + 1,
                        ForeignKeyListing.primaryKeyName(table));
            }
        }
        return listing.open(connection());
    }

    @Override
    public ResultSet getImportedKeys(
            @Nullable String catalog, @Nullable String schema, @Nullable String name)
            throws SQLException {
        List<Table> children = table(catalog, schema, name);
        return new ForeignKeyListing(connection().catalog(), any -> true, children::contains)
                .rows(false)
                .open(connection());
    }

    @Override
    public ResultSet getExportedKeys(
            @Nullable String catalog, @Nullable String schema, @Nullable String name)
            throws SQLException {
        List<Table> parents = table(catalog, schema, name);
        return new ForeignKeyListing(connection().catalog(), parents::contains, any -> true)
                .rows(true)
                .open(connection());
    }

    @Override
    public ResultSet getCrossReference(
            @Nullable String parentCatalog,
            @Nullable String parentSchema,
            @Nullable String parent,
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String name)
            throws SQLException {
        List<Table> parents = table(parentCatalog, parentSchema, parent);
        List<Table> children = table(catalog, schema, name);
        return new ForeignKeyListing(connection().catalog(), parents::contains, children::contains)
                .rows(true)
                .open(connection());
    }

    /// The indexes, and the primary key as one of them, under the name of its constraint.
    @Override
    public ResultSet getIndexInfo(
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String name,
            boolean uniqueOnly,
            boolean approximate)
            throws SQLException {
        Listing listing =
                new Listing(
                        "TABLE_CAT",
                        "TABLE_SCHEM",
                        "TABLE_NAME",
                        "NON_UNIQUE BOOLEAN",
                        "INDEX_QUALIFIER",
                        "INDEX_NAME",
                        "TYPE SMALLINT",
                        "ORDINAL_POSITION SMALLINT",
                        "COLUMN_NAME",
                        "ASC_OR_DESC",
                        "CARDINALITY BIGINT",
                        "PAGES BIGINT",
                        "FILTER_CONDITION");
        for (Table table : table(catalog, schema, name)) {
            List<Index> indexes = new ArrayList<>(table.indexes());
            if (!table.primaryKey().isEmpty()) {
                String key = ForeignKeyListing.primaryKeyName(table);
                indexes.add(new Index(key, Index.Kind.BTREE, true, table.primaryKey()));
            }
            indexes.sort(
                    Comparator.comparing((Index index) -> !isUnique(index))
                            .thenComparing(Index::name));
            for (Index index : indexes) {
                if (isUnique(index) || !uniqueOnly) {
                    addIndex(listing, table, index, !isUnique(index), tableIndexOther);
                    addTerms(listing, table, index, tableIndexOther);
                }
            }
        }
        return listing.open(connection());
    }

    private static boolean isUnique(Index index) {
        return index.unique() || index.deferred();
    }

    private static void addTerms(Listing listing, Table table, Index index, short type) {
        Index.Terms terms = index.terms();
        if (terms == null) {
            return;
        }
        for (int i = 0; i < terms.expressions().size(); i++) {
            listing.add(
                    null,
                    called(table.schema()),
                    table.name(),
                    !isUnique(index),
                    null,
                    index.name(),
                    type,
                    i + 1,
                    terms.expressions().get(i),
                    index.order(i).descending() ? "D" : "A",
                    null,
                    null,
                    terms.condition());
        }
    }

    private static void addIndex(
            Listing listing, Table table, Index index, boolean nonUnique, short type) {
        for (int i = 0; i < index.columns().size(); i++) {
            String column = table.columns().get(index.columns().get(i)).name();
            listing.add(
                    null,
                    called(table.schema()),
                    table.name(),
                    nonUnique,
                    null,
                    index.name(),
                    type,
                    i + 1,
                    column,
                    index.order(i).descending() ? "D" : "A",
                    null,
                    null,
                    null);
        }
    }

    /// The primary key, which identifies a row for its lifetime; else a unique index, which must not hold NULL
    /// unless `nullable`.
    @Override
    public ResultSet getBestRowIdentifier(
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String name,
            int scope,
            boolean nullable)
            throws SQLException {
        Listing listing = rowColumns();
        for (Table table : table(catalog, schema, name)) {
            for (int at : identifier(table, nullable)) {
                addRowColumn(
                        listing, bestRowSession, table.columns().get(at), (short) bestRowNotPseudo);
            }
        }
        return listing.open(connection());
    }

    private static List<Integer> identifier(Table table, boolean nullable) {
        if (!table.primaryKey().isEmpty()) {
            return table.primaryKey();
        }
        for (Index index : table.indexes()) {
            boolean required =
                    index.columns().stream().noneMatch(at -> table.columns().get(at).nullable());
            if (index.unique() && index.terms() == null && (required || nullable)) {
                return index.columns();
            }
        }
        return List.of();
    }

    /// The column that every change of a row updates, if the table has one.
    @Override
    public ResultSet getVersionColumns(
            @Nullable String catalog, @Nullable String schema, @Nullable String name)
            throws SQLException {
        Listing listing = rowColumns();
        for (Table table : table(catalog, schema, name)) {
            int at = table.column(Column.Role.VERSION);
            if (at >= 0) {
                Column column = table.columns().get(at);
                addRowColumn(listing, null, column, (short) versionColumnNotPseudo);
            }
        }
        return listing.open(connection());
    }

    private static Listing rowColumns() {
        return new Listing(
                "SCOPE SMALLINT",
                "COLUMN_NAME",
                "DATA_TYPE INTEGER",
                "TYPE_NAME",
                "COLUMN_SIZE INTEGER",
                "BUFFER_LENGTH INTEGER",
                "DECIMAL_DIGITS SMALLINT",
                "PSEUDO_COLUMN SMALLINT");
    }

    private static void addRowColumn(
            Listing listing, @Nullable Integer scope, Column column, short pseudo) {
        Type type = column.type();
        listing.add(
                scope,
                column.name(),
                JdbcTypes.code(type),
                JdbcTypes.name(type),
                JdbcTypes.precision(type),
                null,
                JdbcTypes.scale(type),
                pseudo);
    }

    @Override
    public ResultSet getFunctions(
            @Nullable String catalog, @Nullable String schema, @Nullable String pattern)
            throws SQLException {
        return functions(catalog, schema, pattern).functions().open(connection());
    }

    @Override
    public ResultSet getFunctionColumns(
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String pattern,
            @Nullable String columnPattern)
            throws SQLException {
        return functions(catalog, schema, pattern)
                .functionColumns(pattern(columnPattern).asMatchPredicate())
                .open(connection());
    }

    private RoutineListing functions(
            @Nullable String catalog, @Nullable String schema, @Nullable String pattern)
            throws SQLException {
        return routines(catalog, schema, pattern, false);
    }

    @Override
    public ResultSet getProcedures(
            @Nullable String catalog, @Nullable String schema, @Nullable String pattern)
            throws SQLException {
        return routines(catalog, schema, pattern, true).procedures().open(connection());
    }

    @Override
    public ResultSet getProcedureColumns(
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String pattern,
            @Nullable String columnPattern)
            throws SQLException {
        return routines(catalog, schema, pattern, true)
                .procedureColumns(pattern(columnPattern).asMatchPredicate())
                .open(connection());
    }

    private RoutineListing routines(
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String pattern,
            boolean procedures)
            throws SQLException {
        Pattern names = pattern(pattern);
        Pattern schemas = pattern(schema);
        return new RoutineListing(
                connection().routines(),
                routine ->
                        isNone(catalog)
                                && RoutineListing.isProcedure(routine) == procedures
                                && schemas.matcher(routine.schema()).matches()
                                && names.matcher(routine.name()).matches());
    }

    @Override
    public ResultSet getTypeInfo() throws SQLException {
        connection().checkOpen();
        Listing listing =
                new Listing(
                        "TYPE_NAME",
                        "DATA_TYPE INTEGER",
                        "PRECISION INTEGER",
                        "LITERAL_PREFIX",
                        "LITERAL_SUFFIX",
                        "CREATE_PARAMS",
                        "NULLABLE SMALLINT",
                        "CASE_SENSITIVE BOOLEAN",
                        "SEARCHABLE SMALLINT",
                        "UNSIGNED_ATTRIBUTE BOOLEAN",
                        "FIXED_PREC_SCALE BOOLEAN",
                        "AUTO_INCREMENT BOOLEAN",
                        "LOCAL_TYPE_NAME",
                        "MINIMUM_SCALE SMALLINT",
                        "MAXIMUM_SCALE SMALLINT",
                        "SQL_DATA_TYPE INTEGER",
                        "SQL_DATETIME_SUB INTEGER",
                        "NUM_PREC_RADIX INTEGER");
        List<Type.Name> names = new ArrayList<>(List.of(Type.Name.values()));
        names.remove(Type.Name.ENUM); // each has a name of its own
        names.remove(Type.Name.COMPOSITE); // each has a name of its own
        names.remove(Type.Name.ARRAY); // there is one for each of the other types
        names.sort(Comparator.comparingInt(name -> JdbcTypes.code(Type.of(name))));
        for (Type.Name name : names) {
            addType(listing, Type.of(name));
        }
        return listing.open(connection());
    }

    private static void addType(Listing listing, Type type) {
        boolean plain = JdbcTypes.isSigned(type) || type.name() == Type.Name.BOOLEAN;
        listing.add(
                JdbcTypes.name(type),
                JdbcTypes.code(type),
                JdbcTypes.precision(type),
                plain ? null : JdbcTypes.isBytes(type) ? "X'" : "'",
                plain ? null : "'",
                parametersOf(type),
                typeNullable,
                JdbcTypes.isCaseSensitive(type),
                typeSearchable,
                !JdbcTypes.isSigned(type),
                false,
                JdbcTypes.countsUp(type),
                null,
                0,
                type.name() == Type.Name.DECIMAL ? Short.MAX_VALUE : JdbcTypes.scale(type),
                null,
                null,
                10);
    }

    private static @Nullable String parametersOf(Type type) {
        return switch (type.name()) {
            case DECIMAL -> "precision,scale";
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, BINARY, VARBINARY -> "length";
            default -> null;
        };
    }
}
