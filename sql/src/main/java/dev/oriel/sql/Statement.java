package dev.oriel.sql;

import dev.oriel.store.Isolation;
import dev.oriel.table.Index;
import dev.oriel.table.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement as written: syntax only, nothing is resolved.
sealed interface Statement {
    int position();

    /// A name and where it stands.
    record Identifier(int position, String name) {}

    /// What returns rows.
    sealed interface Query extends Statement {}

    /// SELECT.
    ///
    /// @param from null where there is no FROM: one row without columns
    /// @param windows those that WINDOW names
    record Select(
            int position,
            boolean distinct,
            List<Item> items,
            @Nullable From from,
            @Nullable Expression where,
            List<GroupElement> groupBy,
            @Nullable Expression having,
            List<NamedWindow> windows,
            @Nullable Expression qualify,
            Tail tail)
            implements Query {
        List<Order> orderBy() {
            return tail.orderBy();
        }

        /// The same with another tail.
        Select ended(Tail other) {
            return new Select(
                    position, distinct, items, from, where, groupBy, having, windows, qualify,
                    other);
        }
    }

    /// What stands between the commas of GROUP BY.
    sealed interface GroupElement {
        /// One key.
        record Key(Expression expression) implements GroupElement {}

        /// GROUPING SETS, ROLLUP or CUBE: sets of keys, spelled out.
        record Sets(int position, List<List<Expression>> sets) implements GroupElement {}
    }

    /// A window under its name.
    record NamedWindow(Identifier name, Expression.Over window) {}

    /// What may end a query.
    ///
    /// @param ties whether rows equal to the last one within the limit are returned too
    record Tail(
            List<Order> orderBy,
            @Nullable Expression limit,
            @Nullable Expression offset,
            boolean ties) {
        static final Tail NONE = new Tail(List.of(), null, null, false);
    }

    /// VALUES where a query stands.
    record RowList(int position, List<Values> rows, Tail tail) implements Query {}

    /// UNION and its like; `position` is the word's.
    record SetOperation(int position, SetKind kind, boolean all, Query left, Query right, Tail tail)
            implements Query {}

    enum SetKind {
        UNION,
        INTERSECT,
        EXCEPT
    }

    /// WITH: names for queries, then the query that uses them.
    record With(int position, boolean recursive, List<CommonTable> tables, Query query)
            implements Query {}

    /// A query that WITH names.
    ///
    /// @param columns empty where the names are those of the query
    /// @param mentions how often a table of this name is read after it
    record CommonTable(Identifier name, List<Identifier> columns, Query query, int mentions) {}

    /// What a query reads.
    sealed interface From {
        int position();

        /// A table under its own name or another.
        record Named(Identifier table, @Nullable Identifier alias, List<Identifier> columns)
                implements From {
            @Override
            public int position() {
                return table.position();
            }
        }

        /// A table, function or procedure that Java computes.
        ///
        /// @param schema null where it is not said
        /// @param arguments null where there are no parentheses
        /// @param call whether it stands after CALL
        record Computed(
                int position,
                @Nullable Identifier schema,
                Identifier name,
                @Nullable List<Expression> arguments,
                boolean call,
                @Nullable Identifier alias,
                List<Identifier> columns)
                implements From {}

        /// A query in parentheses.
        ///
        /// @param columns empty where the names are those of the query
        /// @param lateral whether it sees what stands before it
        record Derived(
                int position,
                Query query,
                @Nullable Identifier alias,
                List<Identifier> columns,
                boolean lateral)
                implements From {}

        /// A function that returns rows.
        record Function(
                Expression.Call call,
                @Nullable Identifier alias,
                List<Identifier> columns,
                boolean lateral)
                implements From {
            @Override
            public int position() {
                return call.position();
            }
        }

        /// Two sides, joined; a comma is a CROSS JOIN.
        ///
        /// @param on null where there is no ON
        /// @param using null where there is no USING
        record Join(
                int position,
                JoinKind kind,
                boolean natural,
                From left,
                From right,
                @Nullable Expression on,
                @Nullable List<Identifier> using)
                implements From {}
    }

    enum JoinKind {
        CROSS,
        INNER,
        LEFT,
        RIGHT,
        FULL
    }

    /// An entry of a select list.
    sealed interface Item {
        int position();

        /// `*` or `t.*`.
        record Star(int position, @Nullable String qualifier) implements Item {}

        record Value(Expression expression, @Nullable Identifier alias) implements Item {
            @Override
            public int position() {
                return expression.position();
            }
        }
    }

    /// An entry of ORDER BY.
    ///
    /// @param nullsFirst null where it is not said: NULLs sort as the greatest values
    record Order(Expression expression, boolean descending, @Nullable Boolean nullsFirst) {}

    /// INSERT.
    ///
    /// @param columns empty where none are listed: all, as declared
    record Insert(int position, Identifier table, List<Identifier> columns, InsertSource source)
            implements Statement {}

    /// Where the rows of an INSERT come from.
    sealed interface InsertSource {
        record Rows(List<Values> rows) implements InsertSource {}

        record OfQuery(Query query) implements InsertSource {}
    }

    /// One parenthesised list after VALUES.
    record Values(int position, List<Expression> expressions) {}

    record Update(
            int position,
            Identifier table,
            @Nullable Identifier alias,
            List<Assignment> assignments,
            @Nullable Expression where)
            implements Statement {}

    record Assignment(Identifier column, Expression value) {}

    record Delete(
            int position, Identifier table, @Nullable Identifier alias, @Nullable Expression where)
            implements Statement {}

    record CreateTable(
            int position,
            boolean ifNotExists,
            Identifier table,
            List<ColumnDefinition> columns,
            List<KeyDefinition> keys)
            implements Statement {}

    record ColumnDefinition(Identifier name, Type type, boolean nullable) {}

    /// PRIMARY KEY or UNIQUE, written at the column or after the columns.
    record KeyDefinition(
            int position, @Nullable Identifier name, boolean primary, List<Identifier> columns) {}

    record DropTable(int position, boolean ifExists, Identifier table) implements Statement {}

    record CreateIndex(
            int position,
            boolean ifNotExists,
            boolean unique,
            Index.Kind kind,
            Identifier name,
            Identifier table,
            List<Identifier> columns)
            implements Statement {}

    record DropIndex(int position, boolean ifExists, Identifier name) implements Statement {}

    record Truncate(int position, Identifier table) implements Statement {}

    /// BEGIN, START TRANSACTION.
    ///
    /// @param isolation its level; null for the session's
    /// @param exclusive whether nobody else may write while it lasts
    record Begin(int position, @Nullable Isolation isolation, boolean exclusive)
            implements Statement {}

    record Commit(int position) implements Statement {}

    record Rollback(int position) implements Statement {}

    record Savepoint(int position, Identifier name) implements Statement {}

    record RollbackTo(int position, Identifier name) implements Statement {}

    record Release(int position, Identifier name) implements Statement {}

    record Explain(int position, Statement statement, ExplainOptions options)
            implements Statement {}
}
