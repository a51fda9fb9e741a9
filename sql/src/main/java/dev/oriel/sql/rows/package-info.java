/// Rows that a statement keeps within its [QueryMemory], and puts aside to files where there is no room: lists,
/// sorts, sets and hash indexes of them.
package dev.oriel.sql.rows;
