package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/// JSON values as parameters of statements.
final class JsonParameters {
    private JsonParameters() {}

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
