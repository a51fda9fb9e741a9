package dev.oriel.sql.syntax;

import dev.oriel.sql.text.Token;
import dev.oriel.store.Transaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.View;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A statement as written: syntax only, with unresolved names.
public sealed interface Statement {
    int position();

    /// A name with its position.
    ///
    /// @param schema the name of its schema; empty if it is not qualified
    /// @param only whether ONLY precedes it
    record Identifier(int position, String name, String schema, boolean only) {
        public Identifier(int position, String name) {
            this(position, name, "");
        }

        public Identifier(int position, String name, String schema) {
            this(position, name, schema, false);
        }

        /// The name with its schema, as [dev.oriel.table.definition.Catalog] looks it up.
        public String path() {
            return schema.isEmpty() ? name : SearchPath.named(schema, name);
        }

        /// The name as written, without quotes.
        public String text() {
            return schema.isEmpty() ? name : schema + "." + name;
        }
    }

    /// A statement that returns rows.
    sealed interface Query extends Statement {}

    /// SELECT.
    ///
    /// @param from null for one row without columns
    /// @param windows windows named by WINDOW
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
        public List<Order> orderBy() {
            return tail.orderBy();
        }

        /// This query with another tail.
        Select ended(Tail other) {
            return new Select(
                    position, distinct, items, from, where, groupBy, having, windows, qualify,
                    other);
        }
    }

    /// An element of GROUP BY.
    sealed interface GroupElement {
        /// One key.
        record Key(Expression expression) implements GroupElement {}

        /// GROUPING SETS, ROLLUP or CUBE, expanded to sets of keys.
        record Sets(int position, List<List<Expression>> sets) implements GroupElement {}

        /// The first element of GROUP BY DISTINCT, which removes repeated grouping sets.
        record Distinct() implements GroupElement {}
    }

    /// A window with its name.
    record NamedWindow(Identifier name, Expression.Over window) {}

    /// The clauses at the end of a query.
    ///
    /// @param ties whether rows equal to the last one within the limit are returned too
    /// @param percent whether the limit is a share of the rows
    record Tail(
            List<Order> orderBy,
            @Nullable Expression limit,
            @Nullable Expression offset,
            boolean ties,
            boolean percent) {
        public static final Tail NONE = new Tail(List.of(), null, null, false, false);

        public boolean isNone() {
            return orderBy.isEmpty() && limit == null && offset == null;
        }
    }

    /// VALUES as a query.
    record RowList(int position, List<Values> rows, Tail tail) implements Query {}

    /// UNION, INTERSECT or EXCEPT; `position` is the keyword's.
    record SetOperation(int position, SetKind kind, boolean all, Query left, Query right, Tail tail)
            implements Query {}

    enum SetKind {
        UNION,
        INTERSECT,
        EXCEPT
    }

    /// WITH: common table expressions, then the query that uses them.
    record With(int position, boolean recursive, List<CommonTable> tables, Query query)
            implements Query {}

    /// The rows that a change in WITH returns.
    record ChangedRows(int position, RowChange change) implements Query {}

    /// Whether one of `tables` changes rows.
    static boolean changesRows(List<CommonTable> tables) {
        return tables.stream().anyMatch(table -> table.query() instanceof ChangedRows);
    }

    /// A common table expression.
    ///
    /// @param columns empty to use the query's column names
    /// @param end position after its query
    /// @param mentions number of later reads from a table of this name
    /// @param marks SEARCH and CYCLE clauses
    record CommonTable(
            Identifier name,
            List<Identifier> columns,
            Query query,
            int end,
            int mentions,
            RecursionMarks marks) {
        CommonTable withMentions(int count) {
            return new CommonTable(name, columns, query, end, count, marks);
        }
    }

    /// A source of rows of a query.
    sealed interface From {
        int position();

        /// A table with an optional alias.
        record Named(Identifier table, @Nullable Identifier alias, List<Identifier> columns)
                implements From {
            @Override
            public int position() {
                return table.position();
            }
        }

        /// A table, function or procedure computed in Java.
        ///
        /// @param schema null if it is not qualified
        /// @param arguments null without parentheses
        /// @param call whether it follows CALL
        record Computed(
                int position,
                @Nullable Identifier schema,
                Identifier name,
                @Nullable List<Expression> arguments,
                boolean call,
                @Nullable Identifier alias,
                List<Identifier> columns)
                implements From {}

        /// A subquery in FROM.
        ///
        /// @param columns empty to use the query's column names
        /// @param lateral whether it sees the tables before it
        record Derived(
                int position,
                Query query,
                @Nullable Identifier alias,
                List<Identifier> columns,
                boolean lateral)
                implements From {}

        /// A set-returning function.
        ///
        /// @param numbered whether a column with row numbers is appended
        record Function(
                Expression.Call call,
                @Nullable Identifier alias,
                List<Identifier> columns,
                boolean lateral,
                boolean numbered)
                implements From {
            @Override
            public int position() {
                return call.position();
            }
        }

        /// A join; a comma is a CROSS JOIN.
        ///
        /// @param on null if there is no ON
        /// @param using null if there is no USING
        /// @param end position after the join
        record Join(
                int position,
                JoinKind kind,
                boolean natural,
                From left,
                From right,
                @Nullable Expression on,
                @Nullable UsingColumns using,
                int end)
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
        ///
        /// @param without columns that EXCEPT leaves out
        /// @param end position after EXCEPT; 0 if there is none
        record Star(
                int position, @Nullable String qualifier, List<Expression.Name> without, int end)
                implements Item {
            public Star(int position, @Nullable String qualifier) {
                this(position, qualifier, List.of(), 0);
            }
        }

        record Value(Expression expression, @Nullable Identifier alias) implements Item {
            @Override
            public int position() {
                return expression.position();
            }
        }
    }

    /// An entry of ORDER BY.
    ///
    /// @param nullsFirst null if omitted: NULLs sort as the greatest values
    record Order(Expression expression, boolean descending, @Nullable Boolean nullsFirst) {}

    /// Rows of a SELECT, locked until the transaction ends.
    ///
    /// @param of names of the tables whose rows are locked; empty for all
    record Locking(
            int position,
            Select query,
            Transaction.LockMode mode,
            Transaction.Wait.Kind waiting,
            List<Identifier> of)
            implements Query {}

    /// A statement that changes rows.
    sealed interface RowChange extends Statement {
        /// The table to change.
        Identifier table();

        /// The items of RETURNING; empty if there are none.
        List<Item> returning();

        RowChange withReturning(List<Item> items);
    }

    /// INSERT.
    ///
    /// @param columns empty for all, in the order of their declaration
    /// @param overriding treatment of values for identity columns
    record Insert(
            int position,
            Identifier table,
            @Nullable Identifier alias,
            List<Identifier> columns,
            Overriding overriding,
            InsertSource source,
            @Nullable OnConflict onConflict,
            List<Item> returning)
            implements RowChange {
        @Override
        public Insert withReturning(List<Item> items) {
            return new Insert(
                    position, table, alias, columns, overriding, source, onConflict, items);
        }
    }

    /// Treatment of values given for identity columns. NONE refuses them for ALWAYS columns, SYSTEM accepts them,
    /// and USER replaces all of them by the next number of the sequence.
    enum Overriding {
        NONE,
        SYSTEM,
        USER
    }

    /// The source of the rows of an INSERT.
    sealed interface InsertSource {
        record Rows(List<Values> rows) implements InsertSource {}

        record OfQuery(Query query) implements InsertSource {}

        /// DEFAULT VALUES.
        record Defaults() implements InsertSource {}
    }

    /// One parenthesised list of VALUES.
    record Values(int position, List<Expression> expressions) {}

    /// ON CONFLICT.
    ///
    /// @param columns columns of the arbiter key; empty if none are named
    /// @param index terms of the arbiter, instead of columns; null if it has columns of all rows
    /// @param constraint name of the arbiter, instead of its columns
    /// @param assignments of DO UPDATE; null for DO NOTHING
    /// @param all for UPSERT: every column that the INSERT lists gets the value to be inserted
    /// @param anyKey for ON DUPLICATE KEY UPDATE: every key decides, and names without a table mean the stored row
    record OnConflict(
            int position,
            List<Identifier> columns,
            @Nullable ConflictIndex index,
            @Nullable Identifier constraint,
            @Nullable List<Assignment> assignments,
            @Nullable Expression where,
            boolean all,
            boolean anyKey) {}

    record Update(
            int position,
            Identifier table,
            @Nullable Identifier alias,
            List<Assignment> assignments,
            @Nullable From from,
            @Nullable Expression where,
            @Nullable Expression limit,
            List<Item> returning)
            implements RowChange {
        @Override
        public Update withReturning(List<Item> items) {
            return new Update(position, table, alias, assignments, from, where, limit, items);
        }
    }

    /// `column = value`; the value is null for DEFAULT.
    ///
    /// @param part index of the column of `value`, a query; negative to use all of a value
    record Assignment(Identifier column, @Nullable Expression value, int part) {
        Assignment(Identifier column, @Nullable Expression value) {
            this(column, value, -1);
        }
    }

    record Delete(
            int position,
            Identifier table,
            @Nullable Identifier alias,
            @Nullable From using,
            @Nullable Expression where,
            @Nullable Expression limit,
            List<Item> returning)
            implements RowChange {
        @Override
        public Delete withReturning(List<Item> items) {
            return new Delete(position, table, alias, using, where, limit, items);
        }
    }

    /// WITH: common table expressions, then the change that uses them.
    record WithChange(int position, boolean recursive, List<CommonTable> tables, RowChange change)
            implements RowChange {
        @Override
        public Identifier table() {
            return change.table();
        }

        @Override
        public List<Item> returning() {
            return change.returning();
        }

        @Override
        public WithChange withReturning(List<Item> items) {
            return new WithChange(position, recursive, tables, change.withReturning(items));
        }
    }

    record Merge(
            int position,
            Identifier table,
            @Nullable Identifier alias,
            From source,
            Expression on,
            List<MergeWhen> whens,
            List<Item> returning)
            implements RowChange {
        @Override
        public Merge withReturning(List<Item> items) {
            return new Merge(position, table, alias, source, on, whens, items);
        }
    }

    /// `WHEN [NOT] MATCHED [BY SOURCE] [AND condition] THEN action`.
    record MergeWhen(
            int position, Matching rows, @Nullable Expression condition, MergeAction action) {}

    /// The rows of MERGE that an action applies to.
    enum Matching {
        /// Rows of the target and the source that match.
        MATCHED,
        /// Rows of the source that no row of the target matches.
        NOT_BY_TARGET,
        /// Rows of the target that no row of the source matches.
        NOT_BY_SOURCE
    }

    sealed interface MergeAction {
        record Update(List<Assignment> assignments) implements MergeAction {}

        record Delete() implements MergeAction {}

        /// INSERT.
        ///
        /// @param values null for DEFAULT VALUES
        record Insert(List<Identifier> columns, @Nullable Values values, Overriding overriding)
                implements MergeAction {}

        record Nothing() implements MergeAction {}
    }

    /// COPY FROM.
    ///
    /// @param columns empty for all that are not generated
    /// @param file its name
    record CopyFrom(
            int position,
            Identifier table,
            List<Identifier> columns,
            Token file,
            CopyOptions options)
            implements RowChange {
        @Override
        public List<Item> returning() {
            return List.of();
        }

        @Override
        public CopyFrom withReturning(List<Item> items) {
            return this;
        }
    }

    /// COPY TO, of a table or of a query.
    ///
    /// @param table null if it copies a query
    /// @param query null if it copies a table
    record CopyTo(
            int position,
            @Nullable Identifier table,
            List<Identifier> columns,
            @Nullable Query query,
            Token file,
            CopyOptions options)
            implements Statement {}

    /// A statement that changes definitions.
    sealed interface Definition extends Statement {}

    /// CREATE TABLE.
    ///
    /// @param likes tables whose columns are copied
    /// @param temporary null for a table that outlives its session
    /// @param partitioned null for a table without partitions
    record CreateTable(
            int position,
            boolean ifNotExists,
            Identifier table,
            List<ColumnDefinition> columns,
            List<TableConstraint> constraints,
            List<LikeTable> likes,
            @Nullable OnCommit temporary,
            @Nullable PartitionBy partitioned)
            implements Definition {}

    /// LIKE table, in a list of columns.
    ///
    /// @param at number of the columns before it
    /// @param parts copied with the columns
    record LikeTable(Identifier table, int at, Set<LikePart> parts) {}

    /// Action of a commit on a temporary table.
    enum OnCommit {
        PRESERVE,
        DELETE,
        DROP
    }

    /// CREATE EXTERNAL TABLE.
    record CreateExternal(
            int position,
            boolean ifNotExists,
            Identifier table,
            List<ColumnDefinition> columns,
            List<ExternalOption> options)
            implements Definition {}

    /// A column that is defined.
    ///
    /// @param comment as in MySQL and H2, as is ON UPDATE; null if there is none
    /// @param fillsNull whether it has DEFAULT ON NULL
    /// @param sequence that belongs to it, in H2 before version 2; or null
    /// @param role EXPIRY for ROW EXPIRY, VERSION for ROW VERSION
    record ColumnDefinition(
            Identifier name,
            Type type,
            boolean nullable,
            @Nullable FillingClause filling,
            @Nullable String comment,
            FillingClause.@Nullable Default update,
            boolean fillsNull,
            @Nullable Identifier sequence,
            Column.Role role) {}

    /// DEFAULT, GENERATED ... and similar. Expressions come with their text.
    sealed interface FillingClause {
        int position();

        record Default(int position, Expression expression, String text) implements FillingClause {}

        record Generated(int position, Expression expression, String text)
                implements FillingClause {}

        record Identity(int position, boolean always, SequenceOptions options)
                implements FillingClause {}
    }

    /// CREATE TABLE ... AS.
    ///
    /// @param columns empty to use the query's column names
    /// @param empty whether to create it without rows (WITH NO DATA)
    /// @param temporary null for a table that outlives its session
    /// @param declared the table with its columns, if these are declared, else null
    record CreateTableAs(
            int position,
            boolean ifNotExists,
            Identifier table,
            List<Identifier> columns,
            Query query,
            boolean empty,
            @Nullable OnCommit temporary,
            @Nullable CreateTable declared)
            implements Definition {}

    record DropTable(int position, boolean ifExists, List<Identifier> tables, boolean cascade)
            implements Definition {}

    record ReplaceTable(int position, DropTable drop, Definition create) implements Definition {}

    record AlterTable(int position, boolean ifExists, Identifier table, List<Alteration> changes)
            implements Definition {}

    /// CREATE INDEX.
    ///
    /// @param nulls whether a unique index treats NULLs as equal (NULLS NOT DISTINCT)
    /// @param included the columns of INCLUDE, which must exist
    record CreateIndex(
            int position,
            boolean ifNotExists,
            boolean unique,
            Index.Nulls nulls,
            Index.Kind kind,
            @Nullable Identifier name,
            Identifier table,
            List<IndexTerm> terms,
            List<Identifier> included,
            @Nullable IndexTerm where)
            implements Definition {
        /// The position of the index's name, or of the statement if it has no name.
        public int place() {
            return name == null ? position : name.position();
        }
    }

    /// A key of an index, or the predicate of a partial index.
    ///
    /// @param column if the term is a plain column; else null
    /// @param text of the expression
    record IndexTerm(
            @Nullable Identifier column, Expression expression, String text, KeyOrder order) {
        public IndexTerm(@Nullable Identifier column, Expression expression, String text) {
            this(column, expression, text, KeyOrder.ASC);
        }

        IndexTerm in(KeyOrder other) {
            return new IndexTerm(column, expression, text, other);
        }
    }

    record DropIndex(int position, boolean ifExists, List<Identifier> names, boolean cascade)
            implements Definition {}

    record RenameIndex(int position, boolean ifExists, Identifier name, Identifier to)
            implements Definition {}

    /// ALTER VIEW RENAME.
    ///
    /// @param column the column to rename; null for the view itself
    record RenameView(
            int position,
            boolean ifExists,
            Identifier name,
            @Nullable Identifier column,
            Identifier to)
            implements Definition {}

    /// TRUNCATE.
    ///
    /// @param cascade whether to truncate tables that refer to them by foreign keys, too
    record Truncate(int position, List<Identifier> tables, boolean restartIdentity, boolean cascade)
            implements Definition {}

    /// MINVALUE or MAXVALUE; without number it is NO MINVALUE or NO MAXVALUE: the limit of the type.
    record Limit(@Nullable Long number) {}

    record Restart(@Nullable Long with) {}

    /// OWNED BY; null for NONE.
    record Owned(@Nullable Identifier table, @Nullable Identifier column) {}

    record CreateSequence(
            int position,
            boolean ifNotExists,
            Identifier name,
            SequenceOptions options,
            boolean temporary)
            implements Definition {}

    /// ALTER SEQUENCE.
    ///
    /// @param to its new name; null to keep it
    record AlterSequence(
            int position,
            boolean ifExists,
            Identifier name,
            SequenceOptions options,
            @Nullable Identifier to)
            implements Definition {}

    record DropSequence(int position, boolean ifExists, List<Identifier> names, boolean cascade)
            implements Definition {}

    /// CREATE VIEW.
    ///
    /// @param text of the query
    record CreateView(
            int position,
            boolean orReplace,
            boolean ifNotExists,
            Identifier name,
            List<Identifier> columns,
            Query query,
            String text,
            boolean temporary,
            View.CheckOption checkOption)
            implements Definition {}

    /// COMMENT ON.
    ///
    /// @param name of the table of a COLUMN or CONSTRAINT, else of the object
    /// @param part name of the COLUMN or CONSTRAINT, else null
    /// @param text null to remove the comment
    record CommentOn(
            int position,
            Commented kind,
            Identifier name,
            @Nullable Identifier part,
            @Nullable String text)
            implements Definition {}

    record DropView(int position, boolean ifExists, List<Identifier> names, boolean cascade)
            implements Definition {}

    /// CREATE PROPERTY GRAPH.
    record CreateGraph(
            int position,
            boolean orReplace,
            boolean ifNotExists,
            Identifier name,
            List<GraphElement> vertices,
            List<GraphElement> edges)
            implements Definition {}

    record DropGraph(int position, boolean ifExists, Identifier name) implements Definition {}

    /// A statement about types.
    record OfType(int position, TypeStatement statement) implements Definition {}

    /// A statement about a partition.
    record OfPartition(int position, PartitionStatement partition) implements Definition {}

    /// A statement about functions.
    record OfFunction(int position, FunctionStatement function) implements Definition {}

    record OfTrigger(int position, TriggerStatement trigger) implements Definition {}

    record OfProcedure(int position, ProcedureStatement procedure) implements Definition {}

    record OfMaterialized(int position, MaterializedStatement statement) implements Definition {}

    /// A statement about schemas.
    record OfSchema(int position, SchemaStatement schema) implements Definition {}

    /// DO.
    record Block(int position, String text) implements Statement {}

    /// A statement that controls transactions, or does maintenance.
    sealed interface Control extends Statement {}

    /// BEGIN, START TRANSACTION.
    ///
    /// @param exclusive whether other transactions cannot write while it lasts
    /// @param bulk whether it is a bulk load, which is exclusive too
    record Begin(int position, TransactionModes modes, boolean exclusive, boolean bulk)
            implements Control {}

    /// COMMIT.
    ///
    /// @param chain whether to begin another transaction with the same modes
    record Commit(int position, boolean chain) implements Control {}

    /// ROLLBACK; `chain` as in COMMIT.
    record Rollback(int position, boolean chain) implements Control {}

    record Savepoint(int position, Identifier name) implements Control {}

    record RollbackTo(int position, Identifier name) implements Control {}

    record Release(int position, Identifier name) implements Control {}

    /// ANALYZE: gathers statistics of tables for the planner.
    ///
    /// @param tables empty for all
    record Analyze(int position, List<Identifier> tables) implements Control {}

    /// SET and RESET of a setting of the session.
    ///
    /// @param name null for all of them
    /// @param value null for the database's
    /// @param local whether it is for the transaction alone
    record Setting(int position, @Nullable Identifier name, @Nullable String value, boolean local)
            implements Control {}

    /// SET TRANSACTION, or SET SESSION CHARACTERISTICS AS TRANSACTION.
    ///
    /// @param session whether it applies to all later transactions
    record SetTransaction(int position, TransactionModes modes, boolean session)
            implements Control {}

    /// SET CONSTRAINTS.
    ///
    /// @param names empty for ALL
    record SetConstraints(int position, List<Identifier> names, boolean deferred)
            implements Control {}

    /// LOCK TABLE.
    ///
    /// @param exclusive whether others may not change rows
    record LockTables(int position, List<Identifier> tables, boolean exclusive, boolean waits)
            implements Control {}

    /// A maintenance statement that has nothing to do here: VACUUM, REINDEX, CHECKPOINT and the like.
    ///
    /// @param tables that must exist
    /// @param indexes that must exist; a name in both lists may be of either
    record Maintain(int position, List<Identifier> tables, List<Identifier> indexes)
            implements Control {}

    /// DISCARD of the session's temporary tables.
    ///
    /// @param all whether to reset its settings too
    record Discard(int position, boolean all) implements Control {}

    record Explain(int position, Statement statement, ExplainOptions options)
            implements Statement {}
}
