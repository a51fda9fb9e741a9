package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HexFormat;
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

    /// Text, Long, BigDecimal, Boolean, bytes or null; anything else as its JSON text. Bytes are objects as in the
    /// rows of a table: `{"hex": ..., "bytes": ...}`.
    ///
    /// @throws RequestException for a value of a row that was cut
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
        if (isOf(value, "hex", "bytes")) {
            return bytes(value.path("hex").textValue(), value.path("bytes").intValue());
        }
        if (isOf(value, "cut", "length")) {
            throw tooLong();
        }
        return value.isTextual() ? value.textValue() : value.toString();
    }

    private static boolean isOf(JsonNode value, String text, String number) {
        return value.isObject()
                && value.size() == 2
                && value.path(text).isTextual()
                && value.path(number).isInt();
    }

    private static byte[] bytes(String hex, int length) {
        if (hex.length() < 2 * length) {
            throw tooLong();
        }
        try {
            return HexFormat.of().parseHex(hex);
        } catch (IllegalArgumentException e) {
            throw new RequestException(
                    400, "The bytes are no hexadecimal digits; send pairs of them.");
        }
    }

    private static RequestException tooLong() {
        return new RequestException(
                400, "The value is longer than the page shows it; use SQL for this row.");
    }
}
