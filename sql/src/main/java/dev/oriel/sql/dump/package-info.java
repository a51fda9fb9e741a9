/// A database as text: its definitions as a script of SQL, its rows as CSV.
package dev.oriel.sql.dump;
