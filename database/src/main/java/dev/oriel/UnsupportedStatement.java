package dev.oriel;

import java.sql.SQLException;
import java.sql.Statement;

/// What no statement does yet.
abstract class UnsupportedStatement implements Statement {

    @Override
    public void setCursorName(String name) throws SQLException {
        throw SqlStates.unsupported("setCursorName is not supported yet");
    }
}
