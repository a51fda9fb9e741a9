/// SQL values: conversions between types ([Typing]), their order ([Order]), and their text forms, as in PostgreSQL.
package dev.oriel.sql.value;
