/// Rows that a statement keeps within its [QueryMemory] and spills to files beyond it: lists, sorts, sets and hash
/// indexes of them.
package dev.oriel.sql.rows;
