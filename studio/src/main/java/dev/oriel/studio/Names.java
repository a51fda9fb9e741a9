package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;

/// Names in SQL.
final class Names {
    private Names() {}

    /// An identifier in quotes.
    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /// A field of a request that must be text.
    static String required(JsonNode body, String field) {
        JsonNode value = body.path(field);
        if (!value.isTextual() || value.textValue().isEmpty()) {
            throw new RequestException(
                    400, "The field '" + field + "' is missing; send it as text.");
        }
        return value.textValue();
    }
}
