package dev.oriel;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Struct;
import java.util.Map;

/// Methods that no connection supports yet.
abstract class UnsupportedConnection implements Connection {

    @Override
    public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
        ForwardResultSet.checkTypes(map);
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
