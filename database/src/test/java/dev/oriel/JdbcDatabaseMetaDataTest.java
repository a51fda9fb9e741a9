package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JdbcDatabaseMetaDataTest {
    private Database db;
    private Connection connection;
    private DatabaseMetaData meta;

    @BeforeEach
    void open() throws SQLException {
        db = Database.inMemory();
        connection = db.connect();
        meta = connection.getMetaData();
        try (Statement s = connection.createStatement()) {
            s.executeUpdate(
                    "CREATE TABLE Person (id BIGINT, part SMALLINT, name VARCHAR(30) NOT NULL, paid"
                            + " DECIMAL(8, 2), PRIMARY KEY (part, id))");
            s.executeUpdate("CREATE UNIQUE INDEX by_name ON Person (name)");
            s.executeUpdate("CREATE INDEX by_paid ON Person (paid, name)");
            s.executeUpdate("CREATE TABLE other_1 (x DATE)");
        }
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        db.close();
    }

    private static List<String> list(ResultSet rs, String... labels) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (rs) {
            while (rs.next()) {
                List<String> row = new ArrayList<>();
                for (String label : labels) {
                    row.add(rs.getString(label));
                }
                rows.add(String.join(" ", row.stream().map(String::valueOf).toList()));
            }
        }
        return rows;
    }

    @Test
    void tablesAreFoundByPatternInAnyCase() throws SQLException {
        assertEquals(
                List.of("other_1 TABLE", "Person TABLE"),
                list(meta.getTables(null, null, null, null), "TABLE_NAME", "TABLE_TYPE"));
        assertEquals(
                List.of("Person"),
                list(meta.getTables(null, "%", "per%", new String[] {"TABLE"}), "TABLE_NAME"));
        assertEquals(
                List.of("other_1"),
                list(meta.getTables("", null, "OTHER\\_1", null), "TABLE_NAME"));
        assertEquals(List.of(), list(meta.getTables(null, null, "o\\_%", null), "TABLE_NAME"));
        assertEquals(
                List.of(),
                list(meta.getTables(null, null, "%", new String[] {"VIEW"}), "TABLE_NAME"));
        assertEquals(
                List.of("Person"),
                list(
                        meta.getTables(null, null, "person", new String[] {"TABLE", null, "TABLE"}),
                        "TABLE_NAME"));
        assertEquals(List.of(), list(meta.getTables("cat", null, "%", null), "TABLE_NAME"));
        assertEquals(
                List.of("LOCAL TEMPORARY", "MATERIALIZED VIEW", "SYSTEM TABLE", "TABLE", "VIEW"),
                list(meta.getTableTypes(), "TABLE_TYPE"));
    }

    /// Each schema that is listed has tables to look into.
    @Test
    void namesBeyondTheBasicPlaneAreFound() throws SQLException {
        String owl = "\ud83e\udd89";
        try (Statement s = connection.createStatement()) {
            s.executeUpdate("CREATE TABLE \"" + owl + "_1\" (\"" + owl + "\" INTEGER)");
        }
        for (String pattern : List.of(owl + "\\_1", "__1", owl + "%")) {
            assertEquals(
                    List.of(owl + "_1"),
                    list(meta.getTables(null, null, pattern, null), "TABLE_NAME"),
                    pattern);
        }
        assertEquals(
                List.of(owl), list(meta.getColumns(null, null, owl + "%", owl), "COLUMN_NAME"));
    }

    @Test
    void systemTablesAreListedIfTheirSchemaOrTypeIsAskedFor() throws SQLException {
        for (String schema : List.of("information_schema", "pg_catalog", "sys")) {
            List<String> tables = list(meta.getTables(null, schema, null, null), "TABLE_NAME");
            assertTrue(tables.size() > 5, schema);
            try (Statement s = connection.createStatement()) {
                for (String table : tables) {
                    int columns =
                            list(meta.getColumns(null, schema, table, null), "COLUMN_NAME").size();
                    ResultSet rows = s.executeQuery("SELECT * FROM " + schema + "." + table);
                    assertEquals(rows.getMetaData().getColumnCount(), columns, table);
                }
            }
        }
        assertEquals(
                List.of("information_schema tables SYSTEM TABLE", "sys tables SYSTEM TABLE"),
                list(
                        meta.getTables(null, null, "TABLES", new String[] {"SYSTEM TABLE", "VIEW"}),
                        "TABLE_SCHEM",
                        "TABLE_NAME",
                        "TABLE_TYPE"));
        assertEquals(
                List.of(),
                list(meta.getTables(null, "sys", null, new String[] {"TABLE"}), "TABLE_NAME"));
    }

    @Test
    void materializedViewsAreAKindOfTheirOwn() throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.executeUpdate("CREATE MATERIALIZED VIEW stored AS SELECT name, paid FROM person");
            s.executeUpdate("CREATE UNIQUE INDEX by_stored ON stored (name)");
        }
        assertEquals(
                List.of("stored MATERIALIZED VIEW", "other_1 TABLE", "Person TABLE"),
                list(meta.getTables(null, null, null, null), "TABLE_NAME", "TABLE_TYPE"));
        assertEquals(
                List.of("stored"),
                list(
                        meta.getTables(null, null, "%", new String[] {"MATERIALIZED VIEW"}),
                        "TABLE_NAME"));
        assertEquals(
                List.of("name", "paid"),
                list(meta.getColumns(null, null, "stored", null), "COLUMN_NAME"));
        assertEquals(
                List.of("by_stored"),
                list(meta.getIndexInfo(null, null, "stored", true, true), "INDEX_NAME"));
    }

    @Test
    void allTablesAreInTheSchemaPublic() throws SQLException {
        assertEquals("public", connection.getSchema());
        try (Statement s = connection.createStatement();
                ResultSet same =
                        s.executeQuery(
                                "SELECT schema_name FROM information_schema.schemata WHERE"
                                        + " schema_name = current_schema()")) {
            assertTrue(same.next());
            assertEquals(connection.getSchema(), same.getString(1));
        }
        connection.setSchema("PUBLIC");
        Expect.error("3F000", "There is no schema \"other\"", () -> connection.setSchema("other"));
        assertEquals(
                List.of("information_schema", "pg_catalog", "public", "sys"),
                list(meta.getSchemas(), "TABLE_SCHEM"));
        assertEquals(List.of("public"), list(meta.getSchemas(null, "pub%"), "TABLE_SCHEM"));
        assertEquals(List.of(), list(meta.getSchemas("cat", null), "TABLE_SCHEM"));
        for (String schema : new String[] {"PUBLIC", "public", "PUB%", null}) {
            assertEquals(
                    List.of("public other_1", "public Person"),
                    list(meta.getTables(null, schema, "%", null), "TABLE_SCHEM", "TABLE_NAME"));
        }
        assertEquals(List.of(), list(meta.getTables(null, "other", "%", null), "TABLE_NAME"));
        assertEquals(List.of(), list(meta.getTables(null, "", "%", null), "TABLE_NAME"));
        assertEquals(
                List.of("public"),
                list(meta.getColumns(null, "PUBLIC", "other_1", null), "TABLE_SCHEM"));
        assertEquals(
                List.of("public", "public"),
                list(meta.getPrimaryKeys(null, "PUBLIC", "Person"), "TABLE_SCHEM"));
        try (Statement s = connection.createStatement()) {
            s.execute("CREATE TABLE public.child (id INT PRIMARY KEY, up INT REFERENCES child)");
            assertEquals(
                    List.of("public public"),
                    list(
                            meta.getImportedKeys(null, "PUBLIC", "child"),
                            "PKTABLE_SCHEM",
                            "FKTABLE_SCHEM"));
            ResultSet rs = s.executeQuery("SELECT id, 1 FROM public.child");
            assertEquals("public", rs.getMetaData().getSchemaName(1));
            assertEquals("", rs.getMetaData().getSchemaName(2));
        }
    }

    @Test
    void columnsTellTypeSizeAndNullability() throws SQLException {
        ResultSet rs = meta.getColumns(null, null, "PERSON", "%");
        assertEquals(24, rs.getMetaData().getColumnCount());
        assertEquals(
                List.of(
                        "id -5 BIGINT 19 NO 1",
                        "part 5 SMALLINT 5 NO 2",
                        "name 12 VARCHAR 30 NO 3",
                        "paid 3 DECIMAL 8 YES 4"),
                list(
                        rs,
                        "COLUMN_NAME",
                        "DATA_TYPE",
                        "TYPE_NAME",
                        "COLUMN_SIZE",
                        "IS_NULLABLE",
                        "ORDINAL_POSITION"));
        assertEquals(
                List.of("2"),
                list(meta.getColumns(null, null, "person", "PAID"), "DECIMAL_DIGITS"));
    }

    @Test
    void whatATransactionHasDefinedIsListedInIt() throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute("CREATE VIEW pay AS SELECT name FROM Person");
            connection.setAutoCommit(false);
            s.execute("DROP VIEW pay");
            s.execute("CREATE TABLE fresh (a INTEGER)");
            assertEquals(
                    List.of("fresh", "other_1", "Person"),
                    list(meta.getColumns(null, null, null, null), "TABLE_NAME").stream()
                            .distinct()
                            .toList());
            assertEquals(
                    List.of("fresh"),
                    list(meta.getTables(null, null, "fresh", null), "TABLE_NAME"));
            connection.rollback();
            assertEquals(List.of(), list(meta.getTables(null, null, "fresh", null), "TABLE_NAME"));
        }
    }

    @Test
    void columnsOfViewsAreListed() throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute(
                    "CREATE VIEW \"pay\" (who, sum) AS SELECT name, SUM(paid) FROM Person GROUP BY"
                            + " name");
        }
        assertEquals(
                List.of("pay who VARCHAR 1", "pay sum DECIMAL 2"),
                list(
                        meta.getColumns(null, null, "P_Y", null),
                        "TABLE_NAME",
                        "COLUMN_NAME",
                        "TYPE_NAME",
                        "ORDINAL_POSITION"));
        assertEquals(
                List.of("other_1", "pay", "Person"),
                list(meta.getColumns(null, null, null, null), "TABLE_NAME").stream()
                        .distinct()
                        .toList());
    }

    @Test
    void functionsThatAreNamedCanBeCalled() throws SQLException {
        List<String> calls = new ArrayList<>();
        for (String name : meta.getNumericFunctions().split(",", -1)) {
            calls.add(
                    name
                            + switch (name) {
                                case "PI" -> "()";
                                case "ATAN2", "MOD", "POWER", "ROUND", "TRUNCATE" -> "(1, 2)";
                                default -> "(1)";
                            });
        }
        for (String name : meta.getStringFunctions().split(",", -1)) {
            calls.add(
                    name
                            + switch (name) {
                                case "CONCAT", "DIFFERENCE" -> "('a', 'b')";
                                case "LEFT", "REPEAT", "RIGHT" -> "('a', 1)";
                                case "POSITION" -> "('a' IN 'ba')";
                                case "REPLACE" -> "('a', 'b', 'c')";
                                case "SPACE" -> "(1)";
                                case "SUBSTRING" -> "('abc', 1, 2)";
                                default -> "('a')";
                            });
        }
        for (String name : meta.getTimeDateFunctions().split(",", -1)) {
            calls.add(
                    switch (name) {
                        case "EXTRACT" -> "EXTRACT(YEAR FROM DATE '2024-01-01')";
                        case "NOW" -> "NOW()";
                        default -> name;
                    });
        }
        calls.add(meta.getSystemFunctions() + "(NULL, 1)");
        try (Statement s = connection.createStatement()) {
            for (String call : calls) {
                try (ResultSet rs = s.executeQuery("SELECT {fn " + call + "}")) {
                    assertTrue(rs.next(), call);
                }
            }
        }
        assertTrue(calls.size() > 40);
    }

    @Test
    void keysAndIndexesAreListed() throws SQLException {
        assertEquals(
                List.of("id 2", "part 1"),
                list(meta.getPrimaryKeys(null, null, "person"), "COLUMN_NAME", "KEY_SEQ"));
        assertEquals(
                List.of(
                        "Person_pkey false part 1 3",
                        "Person_pkey false id 2 3",
                        "by_name false name 1 3",
                        "by_paid true paid 1 3",
                        "by_paid true name 2 3"),
                list(
                        meta.getIndexInfo(null, null, "person", false, true),
                        "INDEX_NAME",
                        "NON_UNIQUE",
                        "COLUMN_NAME",
                        "ORDINAL_POSITION",
                        "TYPE"));
        assertEquals(3, list(meta.getIndexInfo(null, null, "person", true, true), "TYPE").size());
        assertEquals(
                List.of("part", "id"),
                list(meta.getBestRowIdentifier(null, null, "person", 0, true), "COLUMN_NAME"));
        assertEquals(List.of(), list(meta.getPrimaryKeys(null, null, "none"), "KEY_SEQ"));
    }

    @Test
    void orderOfIndexColumnsIsAsDeclared() throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute("CREATE TABLE log (id INT PRIMARY KEY, at DATE, text VARCHAR)");
            s.execute("CREATE INDEX newest ON log (at DESC NULLS LAST, id)");
            s.execute("CREATE INDEX shouted ON log (UPPER(text) DESC, at)");
        }
        assertEquals(
                List.of(
                        "log_pkey id A",
                        "newest at D",
                        "newest id A",
                        "shouted UPPER(text) D",
                        "shouted at A"),
                list(
                        meta.getIndexInfo(null, null, "log", false, true),
                        "INDEX_NAME",
                        "COLUMN_NAME",
                        "ASC_OR_DESC"));
    }

    /// By NON_UNIQUE, TYPE, INDEX_NAME and ORDINAL_POSITION.
    @Test
    void indexesComeInTheOrderThatJdbcAsksFor() throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute("CREATE TABLE many (id INT PRIMARY KEY, a INT, b INT)");
            s.execute("CREATE INDEX z ON many (b, a)");
            s.execute("CREATE INDEX c ON many (a)");
            s.execute("CREATE UNIQUE INDEX y ON many (b, id)");
            s.execute("CREATE UNIQUE INDEX d ON many (a, id)");
        }
        assertEquals(
                List.of(
                        "d 1 a",
                        "d 2 id",
                        "many_pkey 1 id",
                        "y 1 b",
                        "y 2 id",
                        "c 1 a",
                        "z 1 b",
                        "z 2 a"),
                list(
                        meta.getIndexInfo(null, null, "many", false, true),
                        "INDEX_NAME",
                        "ORDINAL_POSITION",
                        "COLUMN_NAME"));
    }

    @Test
    void rowsAreIdentifiedByAKeyThatTheyMustHave() throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute("CREATE TABLE loose (a INT, b INT NOT NULL, c INT NOT NULL)");
            s.execute("CREATE UNIQUE INDEX loose_a ON loose (a)");
            assertEquals(List.of(), identifier(false));
            assertEquals(List.of("a"), identifier(true));
            s.execute("CREATE UNIQUE INDEX loose_cb ON loose (c, b)");
            assertEquals(List.of("c", "b"), identifier(false));
        }
    }

    private List<String> identifier(boolean nullable) throws SQLException {
        return list(meta.getBestRowIdentifier(null, null, "loose", 0, nullable), "COLUMN_NAME");
    }

    @Test
    void theColumnThatEveryChangeSetsIsTheVersion() throws SQLException {
        assertEquals(List.of(), list(meta.getVersionColumns(null, null, "person"), "COLUMN_NAME"));
        db.bucket("cities").upsert("ulm", new byte[] {1});
        List<String> found = new ArrayList<>();
        for (String table : list(meta.getTables(null, null, null, null), "TABLE_NAME")) {
            found.addAll(
                    list(
                            meta.getVersionColumns(null, null, table),
                            "COLUMN_NAME",
                            "TYPE_NAME",
                            "PSEUDO_COLUMN"));
        }
        assertEquals(List.of("CAS BIGINT 1"), found);
    }

    @Test
    void whatCanBeCalledIsListed() throws SQLException {
        db.functions()
                .add(
                        "joined",
                        List.of(String.class, int.class),
                        String.class,
                        arguments -> arguments[0] + "" + arguments[1]);
        assertEquals(
                List.of("null joined in Java 1"),
                list(
                        meta.getFunctions(null, null, "JOINED"),
                        "FUNCTION_SCHEM",
                        "FUNCTION_NAME",
                        "REMARKS",
                        "FUNCTION_TYPE"));
        assertEquals(
                List.of(" 4 12 VARCHAR 0", "argument1 1 12 VARCHAR 1", "argument2 1 4 INTEGER 2"),
                list(
                        meta.getFunctionColumns(null, null, "joined", null),
                        "COLUMN_NAME",
                        "COLUMN_TYPE",
                        "DATA_TYPE",
                        "TYPE_NAME",
                        "ORDINAL_POSITION"));
        assertEquals(
                List.of("upper 1 VARCHAR", "upper 4 VARCHAR"),
                list(
                                meta.getFunctionColumns(null, "", "upper", "%"),
                                "FUNCTION_NAME",
                                "COLUMN_TYPE",
                                "TYPE_NAME")
                        .stream()
                        .sorted()
                        .toList());
        assertEquals(
                List.of(
                        "lpad Text filled up at its beginning, with blanks or a given text, or cut"
                                + " to a length. lpad"),
                list(
                        meta.getFunctions(null, "", "lpad"),
                        "FUNCTION_NAME",
                        "REMARKS",
                        "SPECIFIC_NAME"));
        assertEquals(
                List.of("length value VARCHAR", "length_2 value VARBINARY"),
                list(
                        meta.getFunctionColumns(null, "", "length", "value"),
                        "SPECIFIC_NAME",
                        "COLUMN_NAME",
                        "TYPE_NAME"));
        assertEquals(
                List.of("sys flame_graph 2"),
                list(
                        meta.getFunctions(null, "sys", "flame%"),
                        "FUNCTION_SCHEM",
                        "FUNCTION_NAME",
                        "FUNCTION_TYPE"));
        assertEquals(
                List.of("sys cancel session 1 BIGINT", "sys cancel cancelled 3 BOOLEAN"),
                list(
                        meta.getProcedureColumns(null, null, "cancel", null),
                        "PROCEDURE_SCHEM",
                        "PROCEDURE_NAME",
                        "COLUMN_NAME",
                        "COLUMN_TYPE",
                        "TYPE_NAME"));
        assertTrue(
                list(meta.getProcedures(null, "SYS", null), "PROCEDURE_NAME")
                        .containsAll(List.of("cancel", "configure", "profile_start")));
        assertEquals(List.of(), list(meta.getFunctions("x", null, null), "FUNCTION_NAME"));
        assertEquals(
                List.of("ApplicationName", "ClientHostname", "ClientUser"),
                list(meta.getClientInfoProperties(), "NAME"));
    }

    @Test
    void functionsOfUsersAreInTheirSchemas() throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute("CREATE SCHEMA shop");
            s.execute("CREATE FUNCTION twice(x INT) RETURNS INT RETURN x * 2");
            s.execute("CREATE FUNCTION shop.thrice(x INT) RETURNS INT RETURN x * 3");
        }
        assertEquals(
                List.of("public twice public.twice"),
                list(
                        meta.getFunctions(null, "public", null),
                        "FUNCTION_SCHEM",
                        "FUNCTION_NAME",
                        "SPECIFIC_NAME"));
        assertEquals(
                List.of("shop 4 INTEGER", "shop x 1 INTEGER"),
                list(
                                meta.getFunctionColumns(null, "shop", "thrice", null),
                                "FUNCTION_SCHEM",
                                "COLUMN_NAME",
                                "COLUMN_TYPE",
                                "TYPE_NAME")
                        .stream()
                        .map(row -> row.replace("  ", " "))
                        .toList());
        assertEquals(List.of(), list(meta.getFunctions(null, "", "twice"), "FUNCTION_NAME"));
        try (CallableStatement call = connection.prepareCall("{? = call public.twice(?)}")) {
            call.registerOutParameter(1, Types.INTEGER);
            call.setInt(2, 4);
            call.execute();
            assertEquals(8, call.getInt(1));
        }
    }

    @Test
    void typesOfUsersAreListedWithTheirAttributes() throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute("CREATE TYPE place AS (x INT, name VARCHAR(20), paid DECIMAL(8, 2))");
            s.execute("CREATE DOMAIN amount AS DECIMAL(8, 2) CHECK (VALUE > 0)");
            s.execute("CREATE TYPE mood AS ENUM ('sad', 'glad')");
            s.execute("COMMENT ON TYPE place IS 'a point'");
        }
        String[] labels = {
            "TYPE_SCHEM", "TYPE_NAME", "CLASS_NAME", "DATA_TYPE", "REMARKS", "BASE_TYPE"
        };
        String amount = "public amount java.math.BigDecimal 2001 null 3";
        String place = "public place java.sql.Struct 2002 a point null";
        assertEquals(List.of(amount, place), list(meta.getUDTs(null, null, null, null), labels));
        assertEquals(
                List.of(place),
                list(meta.getUDTs(null, "PUBLIC", "PL%", new int[] {Types.STRUCT}), labels));
        assertEquals(List.of(), list(meta.getUDTs(null, "sys", null, null), labels));
        assertEquals(
                List.of(
                        "place x 4 INTEGER 10 0 10 1 YES",
                        "place name 12 VARCHAR 20 null null 2 YES",
                        "place paid 3 DECIMAL 8 2 10 3 YES"),
                list(
                        meta.getAttributes(null, "public", "place", "%"),
                        "TYPE_NAME",
                        "ATTR_NAME",
                        "DATA_TYPE",
                        "ATTR_TYPE_NAME",
                        "ATTR_SIZE",
                        "DECIMAL_DIGITS",
                        "NUM_PREC_RADIX",
                        "ORDINAL_POSITION",
                        "IS_NULLABLE"));
    }

    /// Each name that is listed is that of a function: it is called with no arguments, or too many, and may
    /// complain of those, but not that there is no such function.
    @Test
    void functionsThatAreListedAreThere() throws SQLException {
        int asked = 0;
        try (Statement s = connection.createStatement();
                ResultSet rs = meta.getFunctions(null, "", null)) {
            while (rs.next()) {
                String name = rs.getString("FUNCTION_NAME");
                boolean rows = rs.getInt("FUNCTION_TYPE") == DatabaseMetaData.functionReturnsTable;
                boolean window = rs.getString("REMARKS").startsWith("window");
                String call = name + "()" + (window ? " OVER ()" : "");
                try {
                    s.execute(rows ? "SELECT * FROM " + call : "SELECT " + call);
                } catch (SQLException e) {
                    String message = String.valueOf(e.getMessage());
                    assertFalse(message.startsWith("There is no "), call + ": " + message);
                }
                asked++;
            }
        }
        assertTrue(asked > 200, "asked: " + asked);
        Expect.error(
                "42883",
                "There is no function",
                () -> connection.createStatement().execute("SELECT nothing()"));
    }

    @Test
    void reservedWordsAreNoNamesButInQuotes() throws SQLException {
        for (String word : meta.getSQLKeywords().split(",", -1)) {
            try (Statement s = connection.createStatement()) {
                Expect.error("42601", "", () -> s.execute("SELECT 1 FROM x AS " + word + ", y"));
                s.execute("CREATE TABLE \"" + word + "\" (\"" + word + "\" INT)");
            }
        }
    }

    @Test
    void limitsAreWhatTheEngineKeepsTo() throws SQLException {
        try (Statement s = connection.createStatement()) {
            String longest = "n".repeat(meta.getMaxTableNameLength());
            s.execute("CREATE TABLE " + longest + " (" + longest + " INT)");
            Expect.error(
                    "42P16",
                    "1 to 1000 bytes",
                    () -> s.execute("CREATE TABLE " + longest + "x (a INT)"));
            assertEquals(longest.length(), meta.getMaxColumnNameLength());
            StringBuilder columns = new StringBuilder("a0 INT");
            for (int i = 1; i <= meta.getMaxColumnsInTable(); i++) {
                columns.append(", a").append(i).append(" INT");
            }
            Expect.error(
                    "42P16",
                    "65535 columns",
                    () -> s.execute("CREATE TABLE wide (" + columns + ")"));
        }
    }

    @Test
    void typesAreListedByTheirCode() throws SQLException {
        List<String> types = list(meta.getTypeInfo(), "TYPE_NAME", "DATA_TYPE");
        assertTrue(types.contains("INTEGER " + Types.INTEGER), types.toString());
        assertTrue(types.contains("TIMESTAMP WITH TIME ZONE 2014"), types.toString());
        assertEquals("TINYINT " + Types.TINYINT, types.getFirst());
    }

    /// The methods of `DatabaseMetaData`, each called with nulls and zeros: every one answers.
    @Test
    void everyQuestionHasAnAnswer() throws Exception {
        int asked = 0;
        for (Method method : DatabaseMetaData.class.getMethods()) {
            @Nullable Object[] arguments = new @Nullable Object[method.getParameterCount()];
            for (int i = 0; i < arguments.length; i++) {
                Class<?> type = method.getParameterTypes()[i];
                arguments[i] = type == int.class ? 0 : type == boolean.class ? false : null;
            }
            if (method.getDeclaringClass() == DatabaseMetaData.class) {
                if (method.invoke(meta, arguments) instanceof ResultSet rs) {
                    assertTrue(rs.getMetaData().getColumnCount() > 0, method.getName());
                    rs.close();
                }
                asked++;
            }
        }
        assertTrue(asked > 170);
    }

    /// Each claim about SQL with a statement that needs it; and what is denied, with one that fails.
    @Test
    void claimsAboutSqlAgreeWithTheEngine() throws SQLException {
        claim(meta.supportsColumnAliasing(), "SELECT id AS a FROM Person");
        claim(meta.supportsTableCorrelationNames(), "SELECT p.id FROM Person p");
        claim(meta.supportsExpressionsInOrderBy(), "SELECT id FROM Person ORDER BY id + 1");
        claim(meta.supportsOrderByUnrelated(), "SELECT id FROM Person ORDER BY name");
        claim(meta.supportsGroupBy(), "SELECT name, COUNT(*) FROM Person GROUP BY name");
        claim(meta.supportsGroupByUnrelated(), "SELECT COUNT(*) FROM Person GROUP BY name");
        claim(meta.supportsGroupByBeyondSelect(), "SELECT name FROM Person GROUP BY name, paid");
        claim(
                meta.supportsLikeEscapeClause(),
                "SELECT id FROM Person WHERE name LIKE 'a!%' ESCAPE '!'");
        claim(
                meta.supportsOuterJoins(),
                "SELECT 1 FROM Person a LEFT JOIN other_1 b ON a.paid = 1");
        claim(meta.supportsUnion(), "SELECT 1 UNION SELECT 2");
        claim(meta.supportsUnionAll(), "SELECT 1 UNION ALL SELECT 2");
        claim(meta.supportsSubqueriesInExists(), "SELECT 1 WHERE EXISTS (SELECT 1)");
        claim(meta.supportsSubqueriesInIns(), "SELECT 1 WHERE 1 IN (SELECT 1)");
        claim(meta.supportsSubqueriesInComparisons(), "SELECT 1 WHERE 1 = (SELECT 1)");
        claim(meta.supportsSelectForUpdate(), "SELECT id FROM Person FOR UPDATE");
        claim(meta.supportsSchemasInTableDefinitions(), "CREATE TABLE PUBLIC.placed (a INT)");
        claim(meta.supportsSchemasInDataManipulation(), "SELECT a FROM PUBLIC.placed");
        claim(meta.supportsSchemasInIndexDefinitions(), "CREATE INDEX i ON PUBLIC.placed (a)");
        claim(meta.supportsAlterTableWithAddColumn(), "ALTER TABLE Person ADD COLUMN z INTEGER");
        claim(meta.supportsAlterTableWithDropColumn(), "ALTER TABLE Person DROP COLUMN z");
    }

    private void claim(boolean claimed, String sql) throws SQLException {
        boolean works;
        try (Statement s = connection.createStatement()) {
            s.execute(sql);
            works = true;
        } catch (SQLException e) {
            assertTrue(e.getSQLState().matches("42601|0A000"), sql + ": " + e);
            works = false;
        }
        assertEquals(works, claimed, sql);
    }

    @Test
    void factsAreHonest() throws SQLException {
        assertEquals("Oriel", meta.getDatabaseProductName());
        assertEquals(4, meta.getJDBCMajorVersion());
        assertTrue(meta.supportsSavepoints());
        assertTrue(meta.supportsGetGeneratedKeys());
        assertTrue(meta.supportsStoredProcedures());
        assertTrue(meta.supportsStoredFunctionsUsingCallSyntax());
        assertFalse(meta.usesLocalFiles());
        assertTrue(meta.supportsTransactionIsolationLevel(Connection.TRANSACTION_READ_COMMITTED));
        assertTrue(meta.supportsTransactionIsolationLevel(Connection.TRANSACTION_SERIALIZABLE));
        assertFalse(meta.supportsTransactionIsolationLevel(Connection.TRANSACTION_NONE));
        connection.close();
        Expect.error("08003", "closed", () -> meta.getTables(null, null, null, null));
        Expect.error("08003", "closed", meta::getCatalogs);
    }
}
