package dev.oriel.flyway;

import java.sql.SQLException;
import org.flywaydb.core.internal.database.base.Connection;
import org.flywaydb.core.internal.database.base.Schema;
import org.flywaydb.core.internal.exception.FlywaySqlException;

/// A connection, whose search path begins with the schema that is migrated.
final class OrielConnection extends Connection<OrielDatabase> {
    OrielConnection(OrielDatabase database, java.sql.Connection connection) {
        super(database, connection);
    }

    @Override
    protected String getCurrentSchemaNameOrSearchPath() throws SQLException {
        return jdbcTemplate.queryForString("SHOW search_path");
    }

    @Override
    protected OrielSchema doGetCurrentSchema() throws SQLException {
        return getSchema(jdbcTemplate.queryForString("SELECT CURRENT_SCHEMA()"));
    }

    /// Keeps the schemas of the connection's own path behind `schema`.
    @Override
    @SuppressWarnings("rawtypes") // as Flyway declares it
    public void changeCurrentSchemaTo(Schema schema) {
        try {
            if (schema.exists()) {
                String own = originalSchemaNameOrSearchPath;
                doChangeCurrentSchemaOrSearchPathTo(
                        own.isBlank() ? schema.toString() : schema + ", " + own);
            }
        } catch (SQLException e) {
            throw new FlywaySqlException(
                    "Schema " + schema + " cannot become the current one; see the cause", e);
        }
    }

    @Override
    protected void doChangeCurrentSchemaOrSearchPathTo(String path) throws SQLException {
        jdbcTemplate.execute("SET search_path TO " + path);
    }

    @Override
    public OrielSchema getSchema(String name) {
        return new OrielSchema(jdbcTemplate, database, name);
    }
}
