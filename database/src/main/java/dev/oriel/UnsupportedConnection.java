package dev.oriel;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Struct;
import java.util.Map;

/// What no connection does yet.
abstract class UnsupportedConnection implements Connection {

    @Override
    public CallableStatement prepareCall(String sql) throws SQLException {
        throw SqlStates.unsupported("prepareCall is not supported yet");
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency)
            throws SQLException {
        throw SqlStates.unsupported("prepareCall is not supported yet");
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
        ForwardResultSet.checkTypes(map);
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        throw SqlStates.unsupported("prepareCall is not supported yet");
    }

    @Override
    public SQLXML createSQLXML() throws SQLException {
        throw SqlStates.unsupported("createSQLXML is not supported yet");
    }

    @Override
    public Struct createStruct(String typeName, Object[] attributes) throws SQLException {
        throw SqlStates.unsupported("createStruct is not supported yet");
    }
}
