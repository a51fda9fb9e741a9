package dev.oriel;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// All that a database tells about itself in its listings, and all its rows, without numbers of definitions: equal for
/// equal databases.
final class DatabaseDescription {
    private static final List<String> PG_CATALOG =
            List.of(
                    "SELECT relname, relkind, relispartition, relnatts, relhasindex,"
                            + " PG_GET_EXPR(relpartbound, oid), PG_GET_PARTKEYDEF(oid), OBJ_DESCRIPTION(oid)"
                            + " FROM pg_class",
                    "SELECT c.relname, a.attname, a.attnum, a.attnotnull, FORMAT_TYPE(a.atttypid, a.atttypmod),"
                            + " a.attidentity, a.attgenerated, COL_DESCRIPTION(c.oid, a.attnum)"
                            + " FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid",
                    "SELECT conname, contype, PG_GET_CONSTRAINTDEF(oid) FROM pg_constraint",
                    "SELECT PG_GET_INDEXDEF(indexrelid) FROM pg_index",
                    "SELECT schemaname, viewname, definition FROM pg_views",
                    "SELECT schemaname, matviewname, ispopulated, definition FROM pg_matviews",
                    "SELECT * FROM pg_sequences",
                    "SELECT proname, PG_GET_FUNCTION_ARGUMENTS(oid), PG_GET_FUNCTION_RESULT(oid), prosrc,"
                            + " provolatile, proisstrict, OBJ_DESCRIPTION(oid) FROM pg_proc WHERE pronamespace <> 11",
                    "SELECT e.enumlabel, t.typname FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid",
                    "SELECT description, objsubid FROM pg_description",
                    "SELECT nspname, OBJ_DESCRIPTION(oid) FROM pg_namespace");

    private static final Pattern NUMBERED = Pattern.compile("_[0-9]{5,}\\b");

    private DatabaseDescription() {}

    /// Rows of each listing and table, as texts.
    static Map<String, List<String>> of(Connection connection) throws SQLException {
        Map<String, List<String>> all = new TreeMap<>();
        try (Statement statement = connection.createStatement()) {
            List<String> listings = new ArrayList<>(PG_CATALOG);
            for (String table :
                    rows(
                            statement,
                            "SELECT table_name FROM information_schema.tables WHERE table_schema ="
                                    + " 'information_schema'")) {
                listings.add("SELECT * FROM information_schema." + table);
            }
            for (String listing : listings) {
                List<String> rows = rows(statement, listing);
                rows.replaceAll(
                        row -> NUMBERED.matcher(row).replaceAll("_#")); // names of functions
                rows.sort(null);
                all.put(listing, rows);
            }
            for (String table :
                    rows(
                            statement,
                            "SELECT FORMAT('%I.%I', table_schema, table_name) FROM information_schema.tables"
                                    + " WHERE table_schema NOT IN ('information_schema', 'pg_catalog', 'sys')"
                                    + " AND table_name NOT IN ('empty', 'session', 'BUCKET_SESSIONS')")) {
                all.put(table, rows(statement, "SELECT * FROM " + table));
            }
        }
        return all;
    }

    private static List<String> rows(Statement statement, String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(query)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= columns; i++) {
                    row.append(i == 1 ? "" : "|").append(result.getString(i));
                }
                rows.add(row.toString());
            }
        } catch (SQLException e) {
            throw new SQLException(query + ": " + e.getMessage(), e.getSQLState(), e);
        }
        return rows;
    }
}
