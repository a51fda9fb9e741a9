package dev.oriel.table;

import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.table.definition.Arbiter;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Note;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.View;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.row.RowBytes;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// One transaction over tables: rows and definitions of one snapshot, plus its own changes. The rules of
/// [Transaction] hold. Reads never wait. A change locks the row and the keys of unique indexes; it is refused if
/// another transaction has changed them since the snapshot. A change of definitions waits for the writers of the
/// table, or is exclusive.
public interface TableTransaction extends AutoCloseable {
    /// The definitions that this transaction sees, its own changes included.
    Catalog catalog();

    /// Has [#catalog()] look for names in `path` ([Catalog#seenBy]).
    void path(SearchPath path);

    boolean writable();

    Isolation isolation();

    /// See [Transaction#refresh()].
    void refresh();

    /// See [Transaction#restart()].
    void restart();

    /// See [Transaction#exclusive()].
    void exclusive();

    /// Keeps the definition of `table` unchanged until the end: transactions that would change it wait for this
    /// one. Writing or locking a row implies it; a statement that might do so calls this first.
    ///
    /// @throws dev.oriel.store.ConflictException if it was changed since the snapshot, or is being changed for too
    ///     long
    default void keep(Table table) {
        keep(table, Transaction.LockMode.SHARED, patience());
    }

    /// Like [#keep(Table)]; EXCLUSIVE keeps the rows unchanged by others too, and waits for all that have changed or
    /// locked one.
    void keep(Table table, Transaction.LockMode mode, Transaction.Wait wait);

    /// Prepares to change the definitions of `tables` and of no other table with rows, concurrently with writers
    /// of other tables. Waits until no other transaction writes to these or changes definitions, and admits none
    /// until the end. Then it moves to the newest committed state. Above READ COMMITTED this is [#exclusive()].
    ///
    /// A change of definitions implies it; a caller that inspects them before calls this first.
    ///
    /// @throws dev.oriel.store.ConflictException if others do not end in time, or wait for this one
    void define(List<Table> tables);

    /// Creates a table; `table`'s id is chosen here, and its indexes are built.
    ///
    /// @return the table in [#catalog()] afterwards
    Table create(Table table);

    void drop(Table table);

    /// Adds a column at the end; it is NULL in all rows.
    ///
    /// @return the table in [#catalog()] afterwards
    Table addColumn(Table table, Column column);

    /// Adds an index and fills it from the rows. Names of indexes are unique among all tables.
    ///
    /// @return the table in [#catalog()] afterwards
    default Table createIndex(Table table, Index index) {
        return createIndex(table, index, _ -> {});
    }

    /// [#createIndex(Table, Index)] that periodically reports the number of rows read to `rows`; an exception from
    /// `rows` ends it.
    Table createIndex(Table table, Index index, LongConsumer rows);

    Table dropIndex(Table table, Index index);

    /// Gives the table with the number of `changed` the definition `changed`. It has the indexes of the table,
    /// perhaps under other names. Without `rewrite` the rows stay, and only requirements that `changed` adds are
    /// tested: older rows have NULL in appended columns. With `rewrite`, all rows and indexes are rewritten.
    ///
    /// @return the table in [#catalog()] afterwards
    /// @throws dev.oriel.table.definition.ConstraintException if a row does not keep to `changed`
    Table redefine(Table changed, @Nullable Rewrite rewrite);

    /// Adds the new content of the rows to a redefinition.
    ///
    /// @param row makes the new row of the old one
    /// @param constant whether `row` ignores its argument: then older rows stay in place, and read the new
    ///     columns,
    ///     which are the last ones, from that one row
    /// @param moved for each old column its new position, or -1 if it is dropped; null if all stay: foreign keys
    ///     of
    ///     other tables follow it
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record Rewrite(RowChange row, boolean constant, int @Nullable [] moved) {
        public Rewrite(RowChange row, boolean constant) {
            this(row, constant, null);
        }
    }

    /// Makes a row of another one.
    @FunctionalInterface
    interface RowChange {
        void apply(Row old, Tuple out);
    }

    /// Removes all rows of `tables` at once. Refused if another table refers to one of them.
    void truncate(Collection<Table> tables);

    /// Creates a view, whose number is chosen here; in place of one of its number, if that is not 0.
    View create(View view);

    void drop(View view);

    /// Creates a property graph. If its number is 0, a new one is chosen; otherwise it replaces the graph of that
    /// number.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException if its tables do not make one
    PropertyGraph create(PropertyGraph graph);

    void drop(PropertyGraph graph);

    /// Creates a sequence, whose number is chosen here; in place of one of its number, if that is not 0.
    Sequence create(Sequence sequence);

    void drop(Sequence sequence);

    /// Creates comments or an external table, whose number is chosen here; in place of the note of its number, if
    /// that is not 0.
    Note create(Note note);

    void drop(Note note);

    /// The next number of a sequence. A rollback does not give it back. This transaction may be a read-only one.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException at the end of the sequence
    long nextValue(Sequence sequence);

    /// Sets a sequence to continue after `value`, or with it if not `given`. A rollback does not undo this.
    void setValue(Sequence sequence, long value, boolean given);

    /// Restarts a sequence with `value`, as part of this transaction, which becomes exclusive. After a rollback,
    /// also to a savepoint, the sequence goes on as before.
    void restart(Sequence sequence, long value);

    /// Forgets the numbers reserved of a sequence whose definition has changed.
    ///
    /// @param sequence its start is the first number if none was drawn yet
    void passOver(Sequence sequence);

    /// A closed cursor over `table` in the order of `index`, or of the row key if `index` is null.
    RowCursor cursor(Table table, @Nullable Index index);

    /// Number of rows that a cursor in the order of `index`, or of the row key if it is null, would find in
    /// `range`. Exact, in time proportional to the pages between its ends. No row is read, unless rows of `table`
    /// can expire.
    long count(Table table, @Nullable Index index, KeyRange range);

    /// Fills `values` with the defaults, and the numbers of identity columns, for columns without a given value.
    ///
    /// @param given positions of columns that have a value, or are to be NULL
    void complete(Table table, Tuple values, BitSet given);

    /// Adds a row; `values` has one position for each column of the table.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException if the table does not accept it; nothing is written then
    void insert(Table table, Row values);

    /// Like [#insert], for a row whose primary key no other transaction has or will ask for, because the caller allots
    /// such keys: it is neither looked up nor locked.
    void insertNew(Table table, Row values);

    /// Whether there is a row `rowKey`, even if others committed it after the snapshot. The answer holds until
    /// this transaction ends: the key is locked, SHARED.
    boolean hold(Table table, Slice rowKey);

    /// Adds a row, unless a row has a key that `arbiter` names: then returns false, and `existing` is the key of
    /// that row, which is locked.
    ///
    /// @param arbiter null if a row with the same key is an error
    /// @throws dev.oriel.table.definition.ConstraintException if the table does not accept it; nothing is written then
    boolean insert(Table table, Row values, @Nullable Arbiter arbiter, Slice existing);

    /// After a change of a row of `table`: points `row` (made by [#rowOf]) at the row as written, with rounded values
    /// and generated columns. Called for the refused row after an insertion found a row with the same key. It holds
    /// until the next change.
    void offered(Table table, Row row);

    /// Points `out` at the key of the row of `table` that was inserted or updated last.
    void writtenKey(Table table, Slice out);

    /// Locks a row until the end; false if `wait` says to skip rows locked by others.
    ///
    /// @throws dev.oriel.store.ConflictException if it is not granted, or the row has changed since the
    ///     snapshot
    boolean lock(Table table, Slice rowKey, Transaction.LockMode mode, Transaction.Wait wait);

    /// The wait for a lock unless a call names another.
    Transaction.Wait patience();

    /// The end of a statement. Referential actions (CASCADE, SET NULL, SET DEFAULT) are done now, and foreign keys
    /// whose test was deferred until then must hold. Before, the transaction sees none of these actions.
    /// [#commit()] does so for all that is left. After a [dev.oriel.store.ConflictException] it may be called
    /// again, and continues.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException if a foreign key does not hold; the statement is to be
    ///     rolled back
    void settle();

    /// Chooses when deferrable foreign keys are tested, until the transaction ends or returns to a savepoint before.
    /// Tests that are due by it are done now.
    ///
    /// @param keys null for all
    /// @param later whether they are tested at the commit, or else at the end of each statement
    /// @throws dev.oriel.table.definition.ConstraintException if a foreign key does not hold; the choice is not made
    ///     then
    void defer(@Nullable Collection<ForeignKey.Of> keys, boolean later);

    /// Replaces the row `rowKey`, indexes too; false if it does not exist or was removed. If the primary key changes,
    /// so does the row key. Keys are compared with the rows as they are at this moment.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException if the table does not accept it; nothing is written then
    default boolean update(Table table, Slice rowKey, Row values) {
        return update(table, rowKey, values, false);
    }

    /// Replaces the row `rowKey` with a choice of the time at which its keys are compared.
    ///
    /// @param patient whether keys are compared with the rows as of the end of the statement, [#settle]. A row
    ///     that is given another row's key is invisible until then, and refused then if the key is still taken
    boolean update(Table table, Slice rowKey, Row values, boolean patient);

    /// Rows and actions left until [#settle].
    Unsettled unsettled();

    /// Removes the row `rowKey` and its index entries; false if it does not exist or was removed.
    boolean delete(Table table, Slice rowKey);

    /// Points `row` (made by [#rowOf]) at the row `rowKey`; false if there is none.
    boolean fetch(Table table, Slice rowKey, Row row);

    /// A row of `table` that [#fetch] fills.
    RowBytes rowOf(Table table);

    /// Locks the row `rowKey`, there or not, for this transaction alone, until its end; false if `wait` says to
    /// skip locked rows.
    ///
    /// @throws dev.oriel.store.ConflictException if it is not granted, or the row has changed since the
    ///     snapshot; then it is locked all the same
    default boolean lock(Table table, Slice rowKey, Transaction.Wait wait) {
        return lock(table, rowKey, Transaction.LockMode.EXCLUSIVE, wait);
    }

    /// The version given to the row of the last change, in a table with a column of [Column.Role#VERSION].
    long rowVersion();

    /// See [Transaction#durability].
    void durability(Durability wanted);

    Transaction.Savepoint savepoint();

    void rollbackTo(Transaction.Savepoint savepoint);

    void release(Transaction.Savepoint savepoint);

    /// Allows only a rollback, after a change was partly applied: commit throws `refusal`.
    void onlyRollback(RuntimeException refusal);

    Transaction.Commit commit();

    /// Counter of its own writes, newer snapshots and returns to savepoints. While it stays the same, earlier
    /// reads are still valid.
    long changes();

    /// Number of returns to savepoints and restarts so far, also by statements that failed.
    long returns();

    /// See [Transaction#pagesRead()].
    long pagesRead();

    /// Tells `told` of searches for rows that refer to a key from now on; null ends it.
    void tell(@Nullable KeySearches told);

    /// Lets `calls` run the triggers of tables from now on; null ends that. Without it, changes of tables with triggers
    /// are refused.
    ///
    /// @return the former ones
    @Nullable TriggerCalls triggers(@Nullable TriggerCalls calls);

    /// See [Transaction#writer()].
    long writer();

    /// See [Transaction#lockWaits()].
    long lockWaits();

    /// See [Transaction#lockWaitNanos()].
    long lockWaitNanos();

    /// Ends it without its changes, unless it has ended.
    @Override
    void close();
}
