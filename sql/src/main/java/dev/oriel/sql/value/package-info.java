/// Values of SQL by themselves: which types go together ([Typing]), their order ([Order]), and how they are
/// written and read, as PostgreSQL does.
package dev.oriel.sql.value;
