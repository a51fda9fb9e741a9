package dev.oriel;

import dev.oriel.sql.Prepared;
import dev.oriel.table.definition.Type;
import java.sql.ParameterMetaData;
import java.sql.SQLException;
import java.util.List;

/// The parameters of a prepared statement.
///
/// @param returns whether the first one is a function's result
/// @param outputs parameters that a procedure may change
record JdbcParameterMetaData(List<Type> types, boolean returns, List<Prepared.Output> outputs)
        implements ParameterMetaData {
    JdbcParameterMetaData(List<Type> types) {
        this(types, false, List.of());
    }

    private Type type(int parameter) throws SQLException {
        if (parameter < 1 || parameter > types.size()) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT,
                    "There is no parameter " + parameter + ": the statement has " + types.size());
        }
        return types.get(parameter - 1);
    }

    @Override
    public int getParameterCount() {
        return types.size();
    }

    @Override
    public int isNullable(int parameter) throws SQLException {
        var _ = type(parameter);
        return parameterNullableUnknown;
    }

    @Override
    public boolean isSigned(int parameter) throws SQLException {
        return JdbcTypes.isSigned(type(parameter));
    }

    @Override
    public int getPrecision(int parameter) throws SQLException {
        return JdbcTypes.precision(type(parameter));
    }

    @Override
    public int getScale(int parameter) throws SQLException {
        return JdbcTypes.scale(type(parameter));
    }

    @Override
    public int getParameterType(int parameter) throws SQLException {
        return JdbcTypes.code(type(parameter));
    }

    @Override
    public String getParameterTypeName(int parameter) throws SQLException {
        return JdbcTypes.name(type(parameter));
    }

    @Override
    public String getParameterClassName(int parameter) throws SQLException {
        return JdbcTypes.className(type(parameter));
    }

    @Override
    public int getParameterMode(int parameter) throws SQLException {
        var _ = type(parameter);
        for (Prepared.Output output : outputs) {
            if (output.parameter() == parameter - 1) {
                return output.in() ? parameterModeInOut : parameterModeOut;
            }
        }
        return returns && parameter == 1 ? parameterModeOut : parameterModeIn;
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
