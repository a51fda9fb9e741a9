package dev.oriel;

import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Struct;
import java.util.Map;
import java.util.concurrent.Executor;

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
        throw SqlStates.unsupported("setTypeMap is not supported yet");
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        throw SqlStates.unsupported("prepareCall is not supported yet");
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int[] columns) throws SQLException {
        throw UnsupportedStatement.keyPositions();
    }

    @Override
    public Clob createClob() throws SQLException {
        throw SqlStates.unsupported("createClob is not supported yet");
    }

    @Override
    public Blob createBlob() throws SQLException {
        throw SqlStates.unsupported("createBlob is not supported yet");
    }

    @Override
    public NClob createNClob() throws SQLException {
        throw SqlStates.unsupported("createNClob is not supported yet");
    }

    @Override
    public SQLXML createSQLXML() throws SQLException {
        throw SqlStates.unsupported("createSQLXML is not supported yet");
    }

    @Override
    public Struct createStruct(String typeName, Object[] attributes) throws SQLException {
        throw SqlStates.unsupported("createStruct is not supported yet");
    }

    @Override
    public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
        throw SqlStates.unsupported("setNetworkTimeout is not supported yet");
    }
}
