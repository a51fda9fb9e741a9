/// Statements as written: parsers, the trees that they make ([Statement], [Expression]), and the functions by
/// the names that they are called by. Nothing is resolved here.
package dev.oriel.sql.syntax;
