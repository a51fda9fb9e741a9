package dev.oriel;

import dev.oriel.sql.Prepared.OutputColumn;
import dev.oriel.table.definition.Type;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;

/// The columns of a result.
record JdbcResultSetMetaData(Columns columns) implements ResultSetMetaData {
    private OutputColumn column(int column) throws SQLException {
        if (column < 1 || column > columns.count()) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT,
                    "There is no column " + column + ": the result has 1 to " + columns.count());
        }
        return columns.column(column - 1);
    }

    private Type type(int column) throws SQLException {
        return column(column).type();
    }

    @Override
    public int getColumnCount() {
        return columns.count();
    }

    @Override
    public boolean isAutoIncrement(int column) throws SQLException {
        var _ = column(column);
        return false;
    }

    @Override
    public boolean isCaseSensitive(int column) throws SQLException {
        return JdbcTypes.isCaseSensitive(type(column));
    }

    @Override
    public boolean isSearchable(int column) throws SQLException {
        var _ = column(column);
        return true;
    }

    @Override
    public boolean isCurrency(int column) throws SQLException {
        var _ = column(column);
        return false;
    }

    @Override
    public int isNullable(int column) throws SQLException {
        return column(column).nullable() ? columnNullable : columnNoNulls;
    }

    @Override
    public boolean isSigned(int column) throws SQLException {
        return JdbcTypes.isSigned(type(column));
    }

    @Override
    public int getColumnDisplaySize(int column) throws SQLException {
        return JdbcTypes.displaySize(type(column));
    }

    @Override
    public String getColumnLabel(int column) throws SQLException {
        return column(column).name();
    }

    @Override
    public String getColumnName(int column) throws SQLException {
        return column(column).name();
    }

    @Override
    public String getSchemaName(int column) throws SQLException {
        String table = column(column).table();
        int end = table.indexOf('\0');
        return table.isEmpty() ? "" : MetaDataListings.called(table.substring(0, Math.max(0, end)));
    }

    @Override
    public int getPrecision(int column) throws SQLException {
        return JdbcTypes.precision(type(column));
    }

    @Override
    public int getScale(int column) throws SQLException {
        return JdbcTypes.scale(type(column));
    }

    @Override
    public String getTableName(int column) throws SQLException {
        String table = column(column).table();
        return table.substring(table.indexOf('\0') + 1);
    }

    @Override
    public String getCatalogName(int column) throws SQLException {
        var _ = column(column);
        return "";
    }

    @Override
    public int getColumnType(int column) throws SQLException {
        return JdbcTypes.code(type(column));
    }

    @Override
    public String getColumnTypeName(int column) throws SQLException {
        return JdbcTypes.name(type(column));
    }

    @Override
    public boolean isReadOnly(int column) throws SQLException {
        var _ = column(column);
        return true;
    }

    @Override
    public boolean isWritable(int column) throws SQLException {
        var _ = column(column);
        return false;
    }

    @Override
    public boolean isDefinitelyWritable(int column) throws SQLException {
        var _ = column(column);
        return false;
    }

    @Override
    public String getColumnClassName(int column) throws SQLException {
        return JdbcTypes.className(type(column));
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
