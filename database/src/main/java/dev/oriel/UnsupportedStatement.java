package dev.oriel;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// What no statement does yet.
abstract class UnsupportedStatement implements Statement {

    static SQLException generatedKeys() {
        return SqlStates.unsupported(
                "Generated keys are not supported yet; choose the keys in the application");
    }

    @Override
    public ResultSet getGeneratedKeys() throws SQLException {
        throw generatedKeys();
    }

    @Override
    public void setCursorName(String name) throws SQLException {
        throw SqlStates.unsupported("setCursorName is not supported yet");
    }

    @Override
    public int executeUpdate(String sql, int[] columns) throws SQLException {
        throw generatedKeys();
    }

    @Override
    public int executeUpdate(String sql, String[] columns) throws SQLException {
        throw generatedKeys();
    }

    @Override
    public boolean execute(String sql, int[] columns) throws SQLException {
        throw generatedKeys();
    }

    @Override
    public boolean execute(String sql, String[] columns) throws SQLException {
        throw generatedKeys();
    }

    @Override
    public long executeLargeUpdate(String sql, int[] columns) throws SQLException {
        throw generatedKeys();
    }

    @Override
    public long executeLargeUpdate(String sql, String[] columns) throws SQLException {
        throw generatedKeys();
    }
}
