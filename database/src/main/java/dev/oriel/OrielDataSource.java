package dev.oriel;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.ShardingKey;
import java.sql.ShardingKeyBuilder;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// A `DataSource` for pools and containers, which set its URL, and perhaps a user and a password, by property. Without
/// a URL, [#getConnection()] throws an [SQLException]. Set the properties before several threads use it.
///
/// ```java
/// DataSource source = new OrielDataSource("jdbc:oriel:data/shop");
/// ```
public final class OrielDataSource implements DataSource {
    private volatile @Nullable String url;
    private volatile @Nullable String user;
    private volatile @Nullable String password;
    private volatile @Nullable PrintWriter logWriter;

    /// A data source whose URL is still to be set.
    public OrielDataSource() {}

    /// The data source of `url`, a URL of [OrielDriver].
    public OrielDataSource(String url) {
        this.url = url;
    }

    /// The URL, if it was set. Named as bean properties are.
    public @Nullable String getUrl() {
        return url;
    }

    /// Sets the URL, one of [OrielDriver].
    public void setUrl(String url) {
        this.url = url;
    }

    /// The name that was set.
    public @Nullable String getUser() {
        return user;
    }

    /// Sets a name, which is ignored, as there are no users.
    public void setUser(@Nullable String user) {
        this.user = user;
    }

    /// The password that was set.
    public @Nullable String getPassword() {
        return password;
    }

    /// Sets a password. Unless it is empty, no connection is made, as it would protect nothing.
    public void setPassword(@Nullable String password) {
        this.password = password;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return connect(password);
    }

    private Connection connect(@Nullable String given) throws SQLException {
        ConnectionUrl.checkPassword(given);
        String from = url;
        Connection connection =
                from == null ? null : new OrielDriver().connect(from, new Properties());
        if (connection == null) {
            throw SqlStates.exception(
                    SqlStates.CONNECTION_FAILED,
                    "The data source's URL must begin with "
                            + ConnectionUrl.PREFIX
                            + ", and is "
                            + from);
        }
        return connection;
    }

    /// A connection; there are no users, so `name` is ignored, and a password is refused.
    @Override
    public Connection getConnection(@Nullable String name, @Nullable String given)
            throws SQLException {
        return connect(given);
    }

    /// Builds connections. There are no users, so names are ignored and passwords are refused; there are no
    /// shards, so sharding keys are refused.
    @Override
    public ConnectionBuilder createConnectionBuilder() {
        return new Building();
    }

    @Override
    public ShardingKeyBuilder createShardingKeyBuilder() throws SQLException {
        throw SqlStates.unsupported("There are no shards, and so no keys of them");
    }

    private final class Building implements ConnectionBuilder {
        private boolean sharded;
        private @Nullable String given;

        @Override
        public ConnectionBuilder user(@Nullable String name) {
            return this;
        }

        @Override
        public ConnectionBuilder password(@Nullable String set) {
            given = set;
            return this;
        }

        @Override
        public ConnectionBuilder shardingKey(@Nullable ShardingKey key) {
            sharded |= key != null;
            return this;
        }

        @Override
        public ConnectionBuilder superShardingKey(@Nullable ShardingKey key) {
            return shardingKey(key);
        }

        @Override
        public Connection build() throws SQLException {
            if (sharded) {
                throw SqlStates.unsupported("There are no shards: build without their keys");
            }
            return connect(given);
        }
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return logWriter;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter writer) {
        logWriter = writer;
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    /// Opening never waits, so there is nothing to limit.
    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException(
                "The data source does not log", SqlStates.NOT_SUPPORTED);
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return Wrappers.unwrap(this, type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return Wrappers.isFor(this, type);
    }
}
