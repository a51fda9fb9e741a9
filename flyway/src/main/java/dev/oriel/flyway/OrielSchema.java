package dev.oriel.flyway;

import java.sql.SQLException;
import java.util.List;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.internal.database.base.Schema;
import org.flywaydb.core.internal.jdbc.JdbcTemplate;

/// The schema PUBLIC, the only one that Flyway is offered.
final class OrielSchema extends Schema<OrielDatabase, OrielTable> {
    private static final String PUBLIC = "PUBLIC";
    private static final String TABLES =
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC'";

    OrielSchema(JdbcTemplate template, OrielDatabase database, String name) {
        super(template, database, name);
    }

    @Override
    protected boolean doExists() {
        return name.equalsIgnoreCase(PUBLIC);
    }

    @Override
    protected boolean doEmpty() throws SQLException {
        return jdbcTemplate.queryForInt(
                        "SELECT (SELECT COUNT(*) FROM information_schema.tables WHERE table_schema"
                                + " = 'PUBLIC') + (SELECT COUNT(*) FROM"
                                + " information_schema.sequences WHERE sequence_schema ="
                                + " 'PUBLIC')")
                == 0;
    }

    @Override
    protected void doCreate() {
        throw new FlywayException(
                "The schema \""
                        + name
                        + "\" cannot be created by Flyway; use PUBLIC, or CREATE SCHEMA in a migration");
    }

    @Override
    protected void doDrop() throws SQLException {
        doClean();
    }

    @Override
    protected void doClean() throws SQLException {
        drop(
                "PROPERTY GRAPH",
                "SELECT property_graph_name FROM information_schema.property_graphs");
        drop("VIEW", TABLES + " AND table_type = 'VIEW'");
        drop("MATERIALIZED VIEW", TABLES + " AND table_type = 'MATERIALIZED VIEW'");
        drop("TABLE", TABLES + " AND table_type NOT LIKE '%VIEW'");
        drop(
                "SEQUENCE",
                "SELECT sequence_name FROM information_schema.sequences WHERE sequence_schema ="
                        + " 'PUBLIC'");
    }

    private void drop(String kind, String query) throws SQLException {
        for (String each : jdbcTemplate.queryForStringList(query)) {
            jdbcTemplate.execute(
                    "DROP " + kind + " IF EXISTS " + database.quote(each) + " CASCADE");
        }
    }

    @Override
    protected OrielTable[] doAllTables() throws SQLException {
        List<String> names =
                jdbcTemplate.queryForStringList(TABLES + " AND table_type = 'BASE TABLE'");
        return names.stream().map(this::getTable).toArray(OrielTable[]::new);
    }

    @Override
    public OrielTable getTable(String table) {
        return new OrielTable(jdbcTemplate, database, this, table);
    }
}
