package dev.oriel.sql.syntax;

/// One option of ORGANIZATION of an external table, its name in upper case.
public record ExternalOption(int position, String name, String value) {}
