package dev.oriel.table;

/// A condition that must not be false for any row of a table; an unknown one is no violation.
///
/// @param expression text of the language that [Expressions] understands
public record Check(String name, String expression) {}
