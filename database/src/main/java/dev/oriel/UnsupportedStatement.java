package dev.oriel;

import java.sql.SQLException;
import java.sql.Statement;

/// What no statement does yet.
abstract class UnsupportedStatement implements Statement {

    static SQLException keyPositions() {
        return SqlStates.unsupported(
                "Generated keys are asked for by name, or by RETURN_GENERATED_KEYS, not by"
                        + " position");
    }

    @Override
    public void setCursorName(String name) throws SQLException {
        throw SqlStates.unsupported("setCursorName is not supported yet");
    }

    @Override
    public int executeUpdate(String sql, int[] columns) throws SQLException {
        throw keyPositions();
    }

    @Override
    public boolean execute(String sql, int[] columns) throws SQLException {
        throw keyPositions();
    }

    @Override
    public long executeLargeUpdate(String sql, int[] columns) throws SQLException {
        throw keyPositions();
    }
}
