package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/// A table, a view or a table of the system, by its schema and its name.
///
/// @param schema `public` if the request named none
record TableName(String schema, String name) {
    static final String PUBLIC = "public";

    TableName {
        schema = schema.isEmpty() ? PUBLIC : schema;
    }

    /// The table that the fields `schema` and `table` of a request name.
    static TableName of(JsonNode body) {
        return new TableName(body.path("schema").asText(), Names.required(body, "table"));
    }

    /// The name in SQL, without the schema if that is the default one.
    String sql() {
        return schema.equalsIgnoreCase(PUBLIC)
                ? Names.quoted(name)
                : Names.quoted(schema) + "." + Names.quoted(name);
    }

    /// The name for a person, without quotes.
    String shown() {
        return schema.equalsIgnoreCase(PUBLIC) ? name : schema + "." + name;
    }

    /// A pattern of the metadata that matches the schema alone.
    String schemaPattern(DatabaseMetaData metadata) throws SQLException {
        return pattern(schema, metadata);
    }

    /// A pattern of the metadata that matches the name alone.
    String namePattern(DatabaseMetaData metadata) throws SQLException {
        return pattern(name, metadata);
    }

    private static String pattern(String text, DatabaseMetaData metadata) throws SQLException {
        String escape = metadata.getSearchStringEscape();
        return text.replace(escape, escape + escape)
                .replace("_", escape + "_")
                .replace("%", escape + "%");
    }
}
