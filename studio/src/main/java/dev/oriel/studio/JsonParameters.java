package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// JSON values as parameters of statements.
final class JsonParameters {
    private JsonParameters() {}

    /// Sets the parameters of `statement` from an array; other JSON has none.
    static void set(PreparedStatement statement, JsonNode values) throws SQLException {
        for (int i = 0; i < values.size(); i++) {
            statement.setObject(i + 1, of(values.get(i)));
        }
    }

    /// Text, Long, BigDecimal, Boolean or null; anything else as its JSON text.
    static @Nullable Object of(JsonNode value) {
        if (value.isNull() || value.isMissingNode()) {
            return null;
        }
        if (value.isBoolean()) {
            return value.booleanValue();
        }
        if (value.isIntegralNumber() && value.canConvertToLong()) {
            return value.longValue();
        }
        if (value.isNumber()) {
            return value.decimalValue();
        }
        return value.isTextual() ? value.textValue() : value.toString();
    }
}
