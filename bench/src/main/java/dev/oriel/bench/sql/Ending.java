package dev.oriel.bench.sql;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/// A product's way to end a database, beyond the connection.
public enum Ending {
    /// The database ends with its last connection.
    CLOSE {
        @Override
        public void end(Connection connection) throws SQLException {
            connection.close();
        }
    },
    /// The statement `SHUTDOWN` ends it; the connection is unusable afterwards.
    SHUTDOWN {
        @Override
        public void end(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SHUTDOWN");
            }
        }
    },
    /// A connection requests the shutdown, and is refused with the state that confirms it.
    SHUTDOWN_URL {
        @Override
        public void end(Connection connection) throws SQLException {
            String url = connection.getMetaData().getURL();
            connection.close();
            try (Connection refused = DriverManager.getConnection(url + ";shutdown=true")) {
                throw new SQLException("Still open after shutdown: " + refused);
            } catch (SQLException e) {
                if (!DONE.equals(e.getSQLState())) {
                    throw e;
                }
            }
        }
    };

    private static final String DONE = "08006";

    /// Closes the connection, and with it the database.
    public abstract void end(Connection connection) throws SQLException;
}
