package dev.oriel.spring;

import dev.oriel.OrielDriver;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.embedded.ConnectionProperties;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseConfigurer;

/// Has Spring's `EmbeddedDatabaseBuilder` make databases in memory by Oriel, in the place of `setType(H2)`:
///
/// ```java
/// new EmbeddedDatabaseBuilder().setDatabaseConfigurer(new OrielEmbeddedDatabase()).addScript("schema.sql").build()
/// ```
/// A database lives until it is shut down, also while no connection is open. Its URL is `jdbc:oriel:mem:NAME`.
/// Thread-safe.
public final class OrielEmbeddedDatabase implements EmbeddedDatabaseConfigurer {
    private final Map<String, Connection> kept = new ConcurrentHashMap<>();

    /// For the builder.
    public OrielEmbeddedDatabase() {}

    @Override
    public void configureConnectionProperties(ConnectionProperties properties, String name) {
        String url = OrielProperties.MEMORY + name;
        properties.setDriverClass(OrielDriver.class);
        properties.setUrl(url);
        properties.setUsername("");
        properties.setPassword("");
        kept.computeIfAbsent(name, _ -> connect(url));
    }

    private static Connection connect(String url) {
        try {
            return DriverManager.getConnection(url);
        } catch (SQLException e) {
            throw new DataAccessResourceFailureException(
                    "The database " + url + " cannot be opened", e);
        }
    }

    @Override
    public void shutdown(DataSource source, String name) {
        Connection last = kept.remove(name);
        if (last != null) {
            try {
                last.close();
            } catch (SQLException e) {
                throw new DataAccessResourceFailureException(
                        "The database " + name + " cannot be closed", e);
            }
        }
    }
}
