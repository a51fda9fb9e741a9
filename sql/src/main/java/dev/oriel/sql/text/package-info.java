/// The text of a statement: its tokens ([Lexer]), positions for errors ([SqlText]), and the [Fingerprint] by which
/// statements that differ only in literals are counted together.
package dev.oriel.sql.text;
