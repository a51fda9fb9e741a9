package dev.oriel;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.ShardingKey;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
    public void setShardingKey(@Nullable ShardingKey key) throws SQLException {
        throw noShards();
    }

    @Override
    public void setShardingKey(@Nullable ShardingKey key, @Nullable ShardingKey superKey)
            throws SQLException {
        throw noShards();
    }

    @Override
    public boolean setShardingKeyIfValid(@Nullable ShardingKey key, int seconds)
            throws SQLException {
        throw noShards();
    }

    @Override
    public boolean setShardingKeyIfValid(
            @Nullable ShardingKey key, @Nullable ShardingKey superKey, int seconds)
            throws SQLException {
        throw noShards();
    }

    private static SQLException noShards() {
        return SqlStates.unsupported("There are no shards, and so no keys of them");
    }
}
