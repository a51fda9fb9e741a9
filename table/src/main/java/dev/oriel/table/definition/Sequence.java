package dev.oriel.table.definition;

/// Numbers, each given once, in steps of `increment`.
///
/// @param id stable number, of the numbers of tables
/// @param cycle whether it begins again at the other end; else the end is an error
/// @param owner number of the table that it goes with, or 0
/// @param schema as in [Table]
public record Sequence(
        long id,
        String name,
        long start,
        long increment,
        long least,
        long most,
        boolean cycle,
        long owner,
        String schema) {
    /// A sequence of the schema PUBLIC.
    public Sequence(
            long id,
            String name,
            long start,
            long increment,
            long least,
            long most,
            boolean cycle,
            long owner) {
        this(id, name, start, increment, least, most, cycle, owner, "");
    }

    /// Place in the numbers of a sequence.
    ///
    /// @param given whether `number` is the last one given; else it is the next one
    public record Position(long number, boolean given) {}

    /// Whether no number of its range comes after `value`.
    public boolean endsAfter(long value) {
        return increment > 0 ? value > most - increment : value < least - increment;
    }

    /// The first number after its end, if it cycles.
    public long beginning() {
        return increment > 0 ? least : most;
    }

    public Sequence withId(long other) {
        return new Sequence(other, name, start, increment, least, most, cycle, owner, schema);
    }

    public Sequence withOwner(long other) {
        return new Sequence(id, name, start, increment, least, most, cycle, other, schema);
    }

    public Sequence withName(String other) {
        return new Sequence(id, other, start, increment, least, most, cycle, owner, schema);
    }

    public Sequence withSchema(String other) {
        return new Sequence(id, name, start, increment, least, most, cycle, owner, other);
    }

    /// Whether it belongs to a session, and ends with it.
    public boolean temporary() {
        return Catalog.isTemporary(schema);
    }

    /// Name with the schema, by which [Catalog] finds it whatever the search path.
    public String path() {
        return SearchPath.named(schema, name);
    }
}
