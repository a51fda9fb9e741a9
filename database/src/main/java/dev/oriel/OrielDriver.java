package dev.oriel;

import dev.oriel.ConnectionUrl.Property;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The JDBC driver, which `DriverManager` finds by itself.
///
/// ```java
/// Connection connection = DriverManager.getConnection("jdbc:oriel:data/shop?durability=written");
/// ```
/// URLs: `jdbc:oriel:PATH` for a folder, `jdbc:oriel:mem:NAME` for a database in memory, `jdbc:oriel:mem:` for a
/// private one. A database in memory lives as long as a handle or connection is open. Properties, in the URL as
/// `?name=value&name=value` or beside it, are the same as in [DatabaseOptions]. There are no users: a user is
/// ignored, and a password that is not empty is refused.
public final class OrielDriver implements Driver {
    static final int MAJOR = 0;
    static final int MINOR = 1;
    static final String VERSION = MAJOR + "." + MINOR;

    static {
        try {
            DriverManager.registerDriver(new OrielDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// For the service loader; `DriverManager` has one of its own.
    public OrielDriver() {}

    @Override
    public boolean acceptsURL(@Nullable String url) {
        return ConnectionUrl.accepts(url);
    }

    /// A connection, or null if the URL is another driver's.
    @Override
    public @Nullable Connection connect(@Nullable String url, @Nullable Properties given)
            throws SQLException {
        if (url == null || !ConnectionUrl.accepts(url)) {
            return null;
        }
        EngineWarmUp.begin();
        ConnectionUrl parsed = ConnectionUrl.parse(url, given == null ? new Properties() : given);
        try {
            return Database.connect(parsed.lease(), parsed.readOnly());
        } catch (RuntimeException e) {
            throw SqlStates.exception(e);
        } catch (Error e) {
            throw SqlStates.exception(e);
        }
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(@Nullable String url, @Nullable Properties given) {
        Property[] properties = Property.values();
        DriverPropertyInfo[] infos = new DriverPropertyInfo[properties.length];
        for (int i = 0; i < properties.length; i++) {
            String name = properties[i].spelling;
            infos[i] = new DriverPropertyInfo(name, given == null ? null : given.getProperty(name));
            infos[i].description = properties[i].description;
            if (!properties[i].choices.isEmpty()) {
                infos[i].choices = properties[i].choices.toArray(String[]::new);
            }
        }
        return infos;
    }

    @Override
    public int getMajorVersion() {
        return MAJOR;
    }

    @Override
    public int getMinorVersion() {
        return MINOR;
    }

    /// False: that would claim the whole of SQL-92 entry level.
    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException(
                "The driver does not log", SqlStates.NOT_SUPPORTED);
    }
}
