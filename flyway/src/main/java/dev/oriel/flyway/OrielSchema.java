package dev.oriel.flyway;

import java.sql.SQLException;
import java.util.List;
import org.flywaydb.core.internal.database.base.Schema;
import org.flywaydb.core.internal.jdbc.JdbcTemplate;

/// A schema. Its name is found by letters of either case, as in statements.
final class OrielSchema extends Schema<OrielDatabase, OrielTable> {
    private static final String PUBLIC = "public";
    private static final String TABLES =
            "SELECT table_name FROM information_schema.tables WHERE LOWER(table_schema) = LOWER(?)";
    private static final String SEQUENCES =
            "SELECT sequence_name FROM information_schema.sequences WHERE LOWER(sequence_schema) ="
                    + " LOWER(?)";

    /// Property graphs. All are in `public`; statements name them without a schema.
    private static final String GRAPHS =
            "SELECT property_graph_name FROM information_schema.property_graphs";

    /// Property graphs over a table of the schema: they must be dropped first.
    private static final String GRAPHS_OVER =
            "SELECT DISTINCT property_graph_name FROM information_schema.pg_element_tables WHERE"
                    + " LOWER(table_schema) = LOWER(?)";

    /// Functions and procedures with the types of their parameters, which tell functions of one name apart.
    private static final String FUNCTIONS =
            "SELECT FORMAT('%I.%I(%s)', n.nspname, p.proname, (SELECT STRING_AGG(FORMAT_TYPE(t,"
                    + " NULL), ', ') FROM UNNEST(p.proargtypes) AS a (t))) FROM pg_proc p JOIN"
                    + " pg_namespace n ON n.oid = p.pronamespace WHERE LOWER(n.nspname) = LOWER(?)";

    /// Types and domains that users have defined.
    private static final String TYPES =
            "SELECT t.typname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE"
                    + " LOWER(n.nspname) = LOWER(?) AND t.typtype ";

    OrielSchema(JdbcTemplate template, OrielDatabase database, String name) {
        super(template, database, name);
    }

    @Override
    protected boolean doExists() throws SQLException {
        return jdbcTemplate.queryForInt(
                        "SELECT COUNT(*) FROM information_schema.schemata WHERE LOWER(schema_name) ="
                                + " LOWER(?)",
                        name)
                > 0;
    }

    @Override
    protected boolean doEmpty() throws SQLException {
        for (String query : List.of(TABLES, SEQUENCES, FUNCTIONS, TYPES + "<> 'b'")) {
            if (!jdbcTemplate.queryForStringList(query, name).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    @Override
    protected void doCreate() throws SQLException {
        jdbcTemplate.execute("CREATE SCHEMA " + database.quote(name));
    }

    /// The schema `public` is emptied, as it cannot be dropped.
    @Override
    protected void doDrop() throws SQLException {
        doClean();
        if (!name.equalsIgnoreCase(PUBLIC)) {
            jdbcTemplate.execute("DROP SCHEMA " + database.quote(name) + " CASCADE");
        }
    }

    @Override
    protected void doClean() throws SQLException {
        List<String> graphs =
                name.equalsIgnoreCase(PUBLIC)
                        ? jdbcTemplate.queryForStringList(GRAPHS)
                        : jdbcTemplate.queryForStringList(GRAPHS_OVER, name);
        for (String graph : graphs) {
            jdbcTemplate.execute("DROP PROPERTY GRAPH IF EXISTS " + database.quote(graph));
        }
        drop("VIEW", TABLES + " AND table_type = 'VIEW'");
        drop("MATERIALIZED VIEW", TABLES + " AND table_type = 'MATERIALIZED VIEW'");
        drop("TABLE", TABLES + " AND table_type NOT LIKE '%VIEW'");
        drop("SEQUENCE", SEQUENCES);
        for (String function : jdbcTemplate.queryForStringList(FUNCTIONS, name)) {
            jdbcTemplate.execute("DROP ROUTINE IF EXISTS " + function + " CASCADE");
        }
        drop("DOMAIN", TYPES + "= 'd'");
        drop("TYPE", TYPES + "IN ('c', 'e')");
    }

    private void drop(String kind, String query) throws SQLException {
        for (String each : jdbcTemplate.queryForStringList(query, name)) {
            jdbcTemplate.execute(
                    "DROP " + kind + " IF EXISTS " + database.quote(name, each) + " CASCADE");
        }
    }

    @Override
    protected OrielTable[] doAllTables() throws SQLException {
        List<String> names =
                jdbcTemplate.queryForStringList(TABLES + " AND table_type = 'BASE TABLE'", name);
        return names.stream().map(this::getTable).toArray(OrielTable[]::new);
    }

    @Override
    public OrielTable getTable(String table) {
        return new OrielTable(jdbcTemplate, database, this, table);
    }
}
