package dev.oriel.flyway;

import java.sql.SQLException;
import org.flywaydb.core.internal.database.base.Connection;

/// A connection, which is always in the schema PUBLIC.
final class OrielConnection extends Connection<OrielDatabase> {
    OrielConnection(OrielDatabase database, java.sql.Connection connection) {
        super(database, connection);
    }

    @Override
    protected String getCurrentSchemaNameOrSearchPath() throws SQLException {
        return getJdbcConnection().getSchema();
    }

    @Override
    protected void doChangeCurrentSchemaOrSearchPathTo(String schema) throws SQLException {
        getJdbcConnection().setSchema(schema);
    }

    @Override
    public OrielSchema getSchema(String name) {
        return new OrielSchema(jdbcTemplate, database, name);
    }
}
