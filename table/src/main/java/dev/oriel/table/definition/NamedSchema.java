package dev.oriel.table.definition;

/// A user-defined schema: names of tables, views and sequences are unique within it. PUBLIC and the schemas of
/// temporary tables exist without a definition.
public record NamedSchema(long id, String name) implements Note {
    @Override
    public NamedSchema withId(long other) {
        return new NamedSchema(other, name);
    }
}
