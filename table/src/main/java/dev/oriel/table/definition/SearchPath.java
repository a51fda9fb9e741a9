package dev.oriel.table.definition;

import java.util.ArrayList;
import java.util.List;

/// The schemas in which a session looks up an unqualified name, in their order. Schemas of these names need not
/// exist.
///
/// @param temporary schema of the session's own temporary tables; empty for none
/// @param schemas the schemas of its setting; PUBLIC is the empty one
public record SearchPath(String temporary, List<String> schemas) {
    /// Prefix of the names of schemas of temporary tables.
    static final String TEMPORARY_SCHEMA = "pg_temp_";

    /// Name by which a session calls its own schema of temporary tables.
    public static final String OWN_TEMPORARY = "pg_temp";

    /// The schema of definitions without one.
    public static final String PUBLIC = "PUBLIC";

    /// Name of PUBLIC in all listings of definitions.
    private static final String SHOWN = "public";

    /// PUBLIC alone.
    public static final SearchPath DEFAULT = new SearchPath("", List.of(""));

    public SearchPath {
        schemas = List.copyOf(schemas);
    }

    /// PUBLIC, after the temporary tables of the schema `temporary`.
    public static SearchPath temporary(String temporary) {
        return temporary.isEmpty() ? DEFAULT : new SearchPath(temporary, DEFAULT.schemas);
    }

    /// Name of `schema` for users; PUBLIC is the empty one, and is shown as PostgreSQL shows it.
    public static String shown(String schema) {
        return schema.isEmpty() ? SHOWN : schema;
    }

    /// Whether names are looked up in PUBLIC alone. Told by the object, as every name is looked up by it.
    @SuppressWarnings("ReferenceEquality")
    boolean isDefault() {
        return this == DEFAULT;
    }

    /// Equivalent to `equals`, but fast for the same object, the case of most statements.
    @SuppressWarnings("ReferenceEquality")
    boolean isSame(SearchPath other) {
        return this == other || equals(other);
    }

    /// `name` of `schema`, as [Catalog] looks it up; PUBLIC is the empty schema, or is called so.
    public static String named(String schema, String name) {
        return (schema.isEmpty() ? PUBLIC : schema) + Names.SCHEMA_END + name;
    }

    /// `path`, a name with its schema, without the schema if it is PUBLIC.
    public static String shortened(String path) {
        return path.startsWith(PUBLIC + Names.SCHEMA_END)
                ? path.substring(PUBLIC.length() + 1)
                : path;
    }

    /// All schemas: the temporary one first, unless the setting names a place for it.
    List<String> order() {
        if (temporary.isEmpty()) {
            return schemas;
        }
        List<String> order = new ArrayList<>();
        for (String schema : schemas) {
            order.add(schema.equalsIgnoreCase(OWN_TEMPORARY) ? temporary : schema);
        }
        if (!order.contains(temporary)) {
            order.addFirst(temporary);
        }
        return order;
    }
}
