package dev.oriel.flyway;

import java.sql.Connection;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.internal.database.base.Database;
import org.flywaydb.core.internal.database.base.Table;
import org.flywaydb.core.internal.jdbc.JdbcConnectionFactory;
import org.flywaydb.core.internal.jdbc.StatementInterceptor;

/// Oriel's SQL, as far as Flyway uses it. Definitions belong to their transaction, so a migration is applied whole
/// or not at all.
final class OrielDatabase extends Database<OrielConnection> {
    OrielDatabase(
            Configuration configuration,
            JdbcConnectionFactory connections,
            StatementInterceptor interceptor) {
        super(configuration, connections, interceptor);
    }

    @Override
    protected OrielConnection doGetConnection(Connection connection) {
        return new OrielConnection(this, connection);
    }

    @Override
    public void ensureSupported(Configuration configuration) {}

    @Override
    public boolean supportsDdlTransactions() {
        return true;
    }

    /// Changes of tables wait for all other writers, so migrations must not wait for the connection that records
    /// them.
    @Override
    public boolean useSingleConnection() {
        return true;
    }

    @Override
    public String getBooleanTrue() {
        return "TRUE";
    }

    @Override
    public String getBooleanFalse() {
        return "FALSE";
    }

    @Override
    public boolean catalogIsSchema() {
        return false;
    }

    /// There are no users in an embedded database; the history names the user of the operating system.
    @Override
    protected String doGetCurrentUser() {
        return System.getProperty("user.name", "");
    }

    @Override
    @SuppressWarnings("rawtypes") // as Flyway declares it
    public String getRawCreateScript(Table table, boolean baseline) {
        return "CREATE TABLE "
                + table
                + " (\n"
                + "    installed_rank INT PRIMARY KEY,\n"
                + "    version VARCHAR(50),\n"
                + "    description VARCHAR(200) NOT NULL,\n"
                + "    type VARCHAR(20) NOT NULL,\n"
                + "    script VARCHAR(1000) NOT NULL,\n"
                + "    checksum INT,\n"
                + "    installed_by VARCHAR(100) NOT NULL,\n"
                + "    installed_on TIMESTAMP DEFAULT LOCALTIMESTAMP NOT NULL,\n"
                + "    execution_time INT NOT NULL,\n"
                + "    success BOOLEAN NOT NULL\n"
                + ");\n"
                + (baseline ? getBaselineStatement(table) + ";\n" : "")
                + "CREATE INDEX \""
                + table.getName()
                + "_s_idx\" ON "
                + table
                + " (success)";
    }
}
