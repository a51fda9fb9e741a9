/// The text of a statement: its tokens ([Lexer]), the places that errors point back to ([SqlText]), and the
/// [Fingerprint] by which statements that differ in literals alone are counted together.
package dev.oriel.sql.text;
