package dev.oriel.table;

import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// One transaction over tables: rows and definitions of one snapshot, plus its own changes. The
/// rules of [Transaction] hold: reads never wait; a change locks the row, and the keys of unique
/// indexes, and is refused where another transaction has changed them since the snapshot; what changes
/// definitions waits for those who write to the table, or is exclusive.
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

    /// Sees to it that the definition of `table` stays as it is until the end: what changes it waits for this
    /// transaction. Whatever writes or locks rows does so by itself; a statement that perhaps will calls this first.
    ///
    /// @throws dev.oriel.store.ConflictException if it was changed since the snapshot, or is being changed for too
    ///     long
    void keep(Table table);

    /// Gets ready to change the definitions of `tables`, and of nothing else that has rows, beside those who write to
    /// other tables: waits until nobody else writes to these or changes definitions, lets nobody do so until the
    /// end, and sees what is committed by now. Above READ COMMITTED this is [#exclusive()].
    ///
    /// What changes definitions does so by itself; who looks at them before calls this first.
    ///
    /// @throws dev.oriel.store.ConflictException if others do not end in time, or wait for this one
    void define(List<Table> tables);

    /// Creates a table; `table`'s id is chosen here, and its indexes are built.
    ///
    /// @return the table as it stands in [#catalog()] now
    Table create(Table table);

    void drop(Table table);

    /// Adds a column at the end, which is NULL in all rows.
    ///
    /// @return the table as it stands in [#catalog()] now
    Table addColumn(Table table, Column column);

    /// Adds an index and fills it from the rows. Names of indexes are unique among all tables.
    ///
    /// @return the table as it stands in [#catalog()] now
    default Table createIndex(Table table, Index index) {
        return createIndex(table, index, _ -> {});
    }

    /// The same, and tells `rows` now and then how many rows have been looked at; what that throws ends it.
    Table createIndex(Table table, Index index, LongConsumer rows);

    Table dropIndex(Table table, Index index);

    /// Gives the table of `changed`'s number the definition `changed`, whose indexes are those that it
    /// has, under other names perhaps. Without `rewrite` the rows stay as they are, and what `changed` asks
    /// of them beyond what was asked before is tested: columns behind those that there were are NULL in
    /// older rows. With it, each row is made anew, and all indexes with it.
    ///
    /// @return the table as it stands in [#catalog()] now
    /// @throws ConstraintException if a row does not keep to `changed`
    Table redefine(Table changed, @Nullable Rewrite rewrite);

    /// Adds to a redefinition what rows are to be.
    ///
    /// @param row makes the row as it is to be of the row as it is
    /// @param constant whether `row` looks at nothing: then older rows stay where they are, and read the
    ///     new columns, which are the last ones, of that one row
    /// @param moved for each column as it was its place now, or -1 where it is gone; null where all
    ///     stay: foreign keys of other tables follow it
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

    /// Removes all rows of `tables` at once. Refused where another one refers to one of them.
    void truncate(Collection<Table> tables);

    /// Creates a view, whose number is chosen here; in place of one of its number, if that is not 0.
    View create(View view);

    void drop(View view);

    /// Creates a property graph, whose number is chosen here; in place of one of its number, if that is not
    /// 0.
    ///
    /// @throws ConstraintException if its tables do not make one
    PropertyGraph create(PropertyGraph graph);

    void drop(PropertyGraph graph);

    /// Creates a sequence, whose number is chosen here; in place of one of its number, if that is not 0.
    Sequence create(Sequence sequence);

    void drop(Sequence sequence);

    /// Creates comments or an external table, whose number is chosen here; in place of those of its number,
    /// if that is not 0.
    Note create(Note note);

    void drop(Note note);

    /// The next number of a sequence. It is drawn whatever becomes of this transaction, which may be a
    /// read-only one.
    ///
    /// @throws ConstraintException at the end of the sequence
    long nextValue(Sequence sequence);

    /// Has a sequence go on after `value`, or with it where it was not `given`, whatever becomes of this
    /// transaction.
    void setValue(Sequence sequence, long value, boolean given);

    /// Has a sequence begin anew with `value`, as part of this transaction, which becomes exclusive: where it is
    /// undone, or a savepoint is gone back to, the sequence goes on as before.
    void restart(Sequence sequence, long value);

    /// Forgets what was reserved of a sequence whose definition has changed.
    ///
    /// @param sequence says by its start where it begins if nothing was drawn from it yet
    void passOver(Sequence sequence);

    /// A closed cursor over `table` in the order of `index`, or of the row key where it is null.
    RowCursor cursor(Table table, @Nullable Index index);

    /// How many rows a cursor in the order of `index`, or of the row key where it is null, would find in
    /// `range`: exact, in time proportional to the number of pages between its ends, and without a look at
    /// rows, unless rows of `table` can expire.
    long count(Table table, @Nullable Index index, KeyRange range);

    /// Puts into `values` what a row gets in columns for which nothing is given: defaults, and numbers of
    /// identity columns.
    ///
    /// @param given positions of columns that have a value, or are to be NULL
    void complete(Table table, Tuple values, BitSet given);

    /// Adds a row; `values` has one position for each column of the table.
    ///
    /// @throws ConstraintException where the table does not accept it; nothing is written then
    void insert(Table table, Row values);

    /// As [#insert], for a row whose primary key nobody else has or will ask for, because the caller
    /// allots such keys: it is neither looked up nor locked.
    void insertNew(Table table, Row values);

    /// Whether there is a row `rowKey`, committed by others since the snapshot or not; it stays so until
    /// this transaction ends: the key is locked, SHARED.
    boolean hold(Table table, Slice rowKey);

    /// Adds a row, unless there is one with a key that `arbiter` names: then false, and `existing` is the
    /// key of that row, which is locked.
    ///
    /// @param arbiter null where a row with the same key is an error
    /// @throws ConstraintException where the table does not accept it; nothing is written then
    boolean insert(Table table, Row values, @Nullable Arbiter arbiter, Slice existing);

    /// After a change of a row of `table`: points `row` (made by [#rowOf]) at what was written, values rounded to their
    /// columns' types, generated columns made; after an insertion that found a row with the same key, at the one that
    /// was to be added. It holds until the next change.
    void offered(Table table, Row row);

    /// Points `out` at the key of the row of `table` that was inserted or updated last.
    void writtenKey(Table table, Slice out);

    /// Locks a row until the end; false where `wait` says to pass over what others hold.
    ///
    /// @throws dev.oriel.store.ConflictException if it is not granted, or the row has changed since the
    ///     snapshot
    boolean lock(Table table, Slice rowKey, Transaction.LockMode mode, Transaction.Wait wait);

    /// How long it waits for a lock where nobody says otherwise.
    Transaction.Wait patience();

    /// The end of a statement: what changes of keys entail for rows that refer to them is done now (CASCADE,
    /// SET NULL, SET DEFAULT), and what foreign keys have put off until then must hold. Until then the
    /// transaction sees nothing of it. [#commit()] does so for all that is left. After a
    /// [dev.oriel.store.ConflictException] it may be called again, and goes on.
    ///
    /// @throws ConstraintException if it does not hold; what was written is to be rolled back
    void settle();

    /// Replaces the row `rowKey`, indexes too; false where there is none (any more). Where the
    /// primary key changes, so does the row key. Keys are compared with the rows as they are at this
    /// moment.
    ///
    /// @throws ConstraintException where the table does not accept it; nothing is written then
    default boolean update(Table table, Slice rowKey, Row values) {
        return update(table, rowKey, values, false);
    }

    /// The same.
    ///
    /// @param patient whether keys are compared with the rows as they are at the end of the statement, [#settle]: a row
    ///     that is given a key of another one is not to be seen until then, and is refused there
    boolean update(Table table, Slice rowKey, Row values, boolean patient);

    /// Removes the row `rowKey` and its index entries; false where there is none (any more).
    boolean delete(Table table, Slice rowKey);

    /// Points `row` (made by [#rowOf]) at the row `rowKey`; false where there is none.
    boolean fetch(Table table, Slice rowKey, Row row);

    /// A row of `table` that [#fetch] fills.
    RowBytes rowOf(Table table);

    /// Locks the row `rowKey`, there or not, for this transaction alone, until its end; false where `wait`
    /// says to pass over what is locked.
    ///
    /// @throws dev.oriel.store.ConflictException if it is not granted, or the row has changed since the
    ///     snapshot; then it is locked all the same
    boolean lock(Table table, Slice rowKey, Transaction.Wait wait);

    /// The number that the last change gave to its row, in a table that has a column of
    /// [Column.Role#VERSION].
    long rowVersion();

    /// See [Transaction#durability].
    void durability(Durability wanted);

    Transaction.Savepoint savepoint();

    void rollbackTo(Transaction.Savepoint savepoint);

    void release(Transaction.Savepoint savepoint);

    /// Lets it be rolled back only: its commit throws `refusal`. For a change that has failed half way.
    void onlyRollback(RuntimeException refusal);

    Transaction.Commit commit();

    /// Grows whenever what it reads may have moved: by its own writes, by a newer snapshot, by a return to a
    /// savepoint. What was read before is as it was while this stays.
    long changes();

    /// Number of returns to savepoints and restarts so far, those of statements that failed included.
    long returns();

    /// See [Transaction#pagesRead()].
    long pagesRead();

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
