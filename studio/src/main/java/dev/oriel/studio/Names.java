package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;

/// Names in SQL.
final class Names {
    private static final String PUBLIC = "PUBLIC";

    private Names() {}

    /// An identifier in quotes.
    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /// A table of a schema, which is left out if it is the default one.
    static String table(String schema, String name) {
        return schema.isEmpty() || schema.equalsIgnoreCase(PUBLIC)
                ? quoted(name)
                : quoted(schema) + "." + quoted(name);
    }

    /// The table that the fields `schema` and `table` of a request name.
    static String table(JsonNode body) {
        return table(body.path("schema").asText(), required(body, "table"));
    }

    /// A field of a request that must be text.
    static String required(JsonNode body, String field) {
        JsonNode value = body.path(field);
        if (!value.isTextual() || value.textValue().isEmpty()) {
            throw new RequestException(400, "The field " + field + " is missing; send it as text.");
        }
        return value.textValue();
    }
}
