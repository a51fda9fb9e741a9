/// Files of rows: delimited and of fixed width, read for COPY and external tables, and written as a whole or
/// not at all.
package dev.oriel.sql.file;
