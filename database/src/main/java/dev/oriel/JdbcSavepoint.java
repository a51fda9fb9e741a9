package dev.oriel;

import java.sql.SQLException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/// A savepoint of a connection.
///
/// @param id unique in the connection
/// @param given the name that the caller gave, or null
record JdbcSavepoint(JdbcConnection connection, int id, @Nullable String given)
        implements Savepoint {
    /// Name of the savepoint in the session. Two savepoints of one given name differ.
    String sessionName() {
        return "jdbc_" + id;
    }

    @Override
    public int getSavepointId() throws SQLException {
        if (given != null) {
            throw SqlStates.exception(SqlStates.SAVEPOINT, "The savepoint has a name, and no id");
        }
        return id;
    }

    @Override
    public String getSavepointName() throws SQLException {
        if (given == null) {
            throw SqlStates.exception(SqlStates.SAVEPOINT, "The savepoint has an id, and no name");
        }
        return given;
    }
}
