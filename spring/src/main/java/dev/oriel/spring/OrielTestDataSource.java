package dev.oriel.spring;

import dev.oriel.OrielDriver;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;

/// The data source of a test's database in memory: without a pool, as Spring Boot gives tests on H2, since filling one
/// takes longer than most tests. The database lives from the first connection until [#close()].
///
/// Its class is public since Spring Boot builds it by the name in `spring.datasource.type`. If a container gives the
/// test another URL, the driver of that is used.
public final class OrielTestDataSource extends AbstractDriverBasedDataSource
        implements AutoCloseable {
    private @Nullable Connection kept;
    private boolean closed;

    /// For Spring Boot, which sets the URL.
    public OrielTestDataSource() {}

    @Override
    protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
        String url = getUrl();
        if (url == null || !url.startsWith(OrielProperties.PREFIX)) {
            return DriverManager.getConnection(url, properties);
        }
        keep(url, properties);
        return connect(url, properties);
    }

    private synchronized void keep(String url, Properties properties) throws SQLException {
        if (kept == null && !closed) {
            kept = connect(url, properties);
        }
    }

    private static Connection connect(String url, Properties properties) throws SQLException {
        Connection connection = new OrielDriver().connect(url, properties);
        if (connection == null) {
            throw new IllegalStateException("The driver refuses " + url);
        }
        return connection;
    }

    /// Ends the database, when the last connection to it is closed.
    @Override
    public synchronized void close() throws SQLException {
        closed = true;
        Connection last = kept;
        kept = null;
        if (last != null) {
            last.close();
        }
    }
}
