/// Statements as written: parsers, syntax trees ([Statement], [Expression]), and functions by name. Names are
/// unresolved here.
package dev.oriel.sql.syntax;
