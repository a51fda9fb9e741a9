package dev.oriel.table.definition;

/// A condition that must not be false for any row of a table; an unknown one is no violation.
///
/// @param expression text of the language that `Expressions` understands
public record Check(String name, String expression) {
    /// Reserved name of the check that some [Partition] takes the row.
    private static final String ROUTING = Names.SCHEMA_END + "partitions";

    /// The condition that a partition takes the row.
    public static Check routing(String expression) {
        return new Check(ROUTING, expression);
    }

    /// Whether it is the condition that a partition takes the row.
    public boolean isRouting() {
        return name.equals(ROUTING);
    }
}
