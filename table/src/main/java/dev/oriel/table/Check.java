package dev.oriel.table;

/// A condition that no row of a table may fail; one that is unknown is not failed.
///
/// @param expression text of the language that [Expressions] understands
public record Check(String name, String expression) {}
