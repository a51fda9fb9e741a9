package dev.oriel.flyway;

import java.sql.Connection;
import java.sql.Types;
import org.flywaydb.core.api.ResourceProvider;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.internal.database.base.BaseDatabaseType;
import org.flywaydb.core.internal.jdbc.JdbcConnectionFactory;
import org.flywaydb.core.internal.jdbc.StatementInterceptor;
import org.flywaydb.core.internal.parser.ParsingContext;

/// Tells Flyway that a URL or connection is Oriel's.
public final class OrielDatabaseType extends BaseDatabaseType {
    /// For the service loader.
    public OrielDatabaseType() {}

    @Override
    public String getName() {
        return "Oriel";
    }

    @Override
    public int getNullType() {
        return Types.VARCHAR;
    }

    @Override
    public boolean handlesJDBCUrl(String url) {
        return url.startsWith("jdbc:oriel:");
    }

    @Override
    public String getDriverClass(String url, ClassLoader loader) {
        return "dev.oriel.OrielDriver";
    }

    @Override
    public boolean handlesDatabaseProductNameAndVersion(
            String product, String version, Connection connection) {
        return product.startsWith("Oriel");
    }

    @Override
    @SuppressWarnings("rawtypes") // as Flyway declares it
    public OrielDatabase createDatabase(
            Configuration configuration,
            JdbcConnectionFactory connections,
            StatementInterceptor interceptor) {
        return new OrielDatabase(configuration, connections, interceptor);
    }

    @Override
    public OrielParser createParser(
            Configuration configuration, ResourceProvider resources, ParsingContext context) {
        return new OrielParser(configuration, context);
    }
}
