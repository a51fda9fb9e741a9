package dev.oriel.table;

/// A schema that somebody has made: names of tables, views and sequences are unique within it. PUBLIC and the
/// schemas of temporary tables are there without one.
public record NamedSchema(long id, String name) implements Note {
    @Override
    public NamedSchema withId(long other) {
        return new NamedSchema(other, name);
    }
}
