package dev.oriel.table;

/// A column of a table.
///
/// @param name as declared; names are compared without regard to case
/// @param nullable whether it may be NULL
public record Column(String name, Type type, boolean nullable) {}
