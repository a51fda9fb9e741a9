package dev.oriel.table.transaction;

import dev.oriel.profiler.Probe;
import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.store.UsageException;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.key.KeyReader;
import dev.oriel.table.key.KeyText;
import dev.oriel.table.row.RowTests;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.KeyBounds;
import dev.oriel.table.schema.Schema;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Common part of the cursors over trees and arrays: the range, and the row, which is fetched at the first read of
/// a column that is not in the key.
///
/// Columns of an index's key are read from the key until the row is fetched: numbers of LONG shape, text and
/// bytes, whose codes keep the value exactly. After a run of rows that had to be fetched anyway, the next ones are
/// fetched first.
abstract sealed class StoredCursor implements RowCursor permits TreeCursor, ArrayCursor {
    private static final Probe OPEN = Probe.of(RowCursor.class, "open");
    private static final long NOWHERE = -1;

    /// Number of fetched rows in sequence after which a fetch is expected for the next one.
    private static final int FETCHES_EXPECTED = 8;

    final KeyBounds bounds = new KeyBounds();
    StoredTransaction transaction;
    TableEntry table;
    @Nullable IndexEntry index;
    boolean descending;
    private boolean opened;

    private long schemaVersion;
    private final StoredRow row;
    private final Slice value = new Slice();
    private final Slice key = new Slice();
    private final KeyReader reader = new KeyReader();

    /// Position in the index's key by column of the table; -1 if it is not read from there.
    private final int[] keyPlaces;

    /// Position in the row key found by the index, by column of the table, or -1.
    private final int[] rowKeyPlaces;

    /// The transaction's count of changes when this cursor last moved onto a row, and when it fetched the row;
    /// [#NOWHERE] if it did not.
    private long movedAt = NOWHERE;

    private long fetchedAt = NOWHERE;

    /// Tests of the rows returned; null for all.
    private @Nullable RowTests tests;

    /// Result of the tests for the current row.
    private int result;

    /// Whether a column outside the key was requested.
    private boolean needed;

    /// Number of successive rows before this one that were needed.
    private int neededBefore;

    StoredCursor(StoredTransaction transaction, TableEntry table, @Nullable IndexEntry index) {
        this.transaction = transaction;
        this.schemaVersion = transaction.schema().version();
        this.table = table;
        this.index = index;
        this.row = table.newRow();
        this.keyPlaces = keyPlaces(table, index);
        this.rowKeyPlaces = new int[keyPlaces.length];
        Arrays.fill(rowKeyPlaces, -1);
        for (int i = 0; index != null && i < table.primaryKey().length; i++) {
            rowKeyPlaces[table.primaryKey()[i]] = i;
        }
    }

    private static int[] keyPlaces(TableEntry table, @Nullable IndexEntry index) {
        int[] places = new int[table.table().columns().size() + 1]; // the row's key comes last
        Arrays.fill(places, -1);
        if (index != null && index.isSearch()) {
            return places; // its keys hold words
        }
        for (int i = 0; index != null && i < index.columns().length; i++) {
            boolean exact =
                    switch (index.types()[i].shape()) {
                        case LONG, TEXT, BYTES -> true;
                        // -0.0, the scale and the case are not kept
                        case DOUBLE, DECIMAL, FOLDED -> false;
                    };
            if (exact) {
                places[index.columns()[i]] = i;
            }
        }
        return places;
    }

    @Override
    public final void open(
            TableTransaction newTransaction,
            KeyRange range,
            boolean fromLast,
            @Nullable RowTests only) {
        long entered = OPEN.enter();
        try {
            transaction = (StoredTransaction) newTransaction;
            if (transaction.schema().version() != schemaVersion) {
                adopt(transaction.schema());
            }
            bounds.set(range, table, index, wholeColumns());
            descending = fromLast;
            opened = true;
            movedAt = NOWHERE;
            fetchedAt = NOWHERE;
            needed = false;
            tests = only;
            start();
        } finally {
            OPEN.exit(entered);
        }
    }

    /// Definitions have changed: the table and the index may be reached another way now.
    private void adopt(Schema current) {
        table = current.entry(table.table());
        if (index != null) {
            index = Schema.index(table, index.definition());
        }
        schemaVersion = current.version();
    }

    /// Number of columns that form a whole key of its tree or array, which occurs once at most; 0 if none do.
    abstract int wholeColumns();

    /// Begins in the transaction, before the first row.
    abstract void start();

    /// Goes to the next row in the range; false at the end.
    abstract boolean advance();

    /// Gives its place up: it need not be found again after a write.
    abstract void leavePlace();

    /// Points `out` at the key of the row.
    abstract void locate(Slice out);

    /// Sets `reader` to the first column of the index's key.
    abstract void readKey(KeyReader reader);

    /// Points `out` at the row.
    void fetch(Slice out) {
        locate(key);
        if (!transaction.store().get(table.tree(), key, out)) {
            IndexEntry of = index;
            throw new CorruptionException(
                    "An index names a row that does not exist; run check",
                    "table="
                            + table.table().name()
                            + (of == null ? "" : " index=" + of.definition().name())
                            + " row="
                            + KeyText.of(key, table.keyTypes()));
        }
    }

    @Override
    public final boolean next() {
        if (!opened) {
            throw notOpened();
        }
        while (true) {
            passed();
            if (!advance()) {
                break;
            }
            movedAt = transaction.changes();
            if (isTaken()) {
                return true;
            }
        }
        movedAt = NOWHERE;
        leavePlace();
        return false;
    }

    @Override
    public final void leave() {
        opened = false;
        movedAt = NOWHERE;
        fetchedAt = NOWHERE;
        try {
            leavePlace();
        } catch (ClosedException | ConflictException _) {
            // The store has ended the transaction, and its cursors with it.
        }
    }

    /// Whether the current row is to be returned.
    private boolean isTaken() {
        RowTests only = tests;
        if (only != null) {
            result = only.of(row());
            if (result == RowTests.FAILS) {
                return false;
            }
        }
        return !table.expires() || !transaction.isExpired(table, row());
    }

    @Override
    public final boolean isUndecided() {
        return tests != null && result == RowTests.UNDECIDED;
    }

    /// Called when the cursor is about to move from the current row, if any.
    private void passed() {
        if (movedAt != NOWHERE) {
            neededBefore = needed ? Math.min(neededBefore + 1, FETCHES_EXPECTED) : 0;
            needed = false;
        }
        fetchedAt = NOWHERE;
    }

    /// Whether the transaction has written since the cursor moved.
    final boolean hasChanged() {
        return movedAt != transaction.changes();
    }

    private void requireStanding() {
        if (movedAt != transaction.changes()) {
            throw new UsageException(
                    movedAt == NOWHERE
                            ? "The cursor is not on a row; call next first"
                            : "The transaction has changed since the cursor moved; move it first",
                    "table=" + table.table().name());
        }
    }

    /// Number of rows that `cursor` finds in `range`.
    static long count(RowCursor cursor, TableTransaction transaction, KeyRange range) {
        cursor.open(transaction, range, false);
        long count = 0;
        while (cursor.next()) {
            count++;
        }
        return count;
    }

    /// For calls before `open`.
    static UsageException notOpened() {
        return new UsageException("The cursor has not been opened", "");
    }

    @Override
    public final void rowKey(Slice out) {
        requireStanding();
        locate(out);
    }

    @Override
    public final boolean covers(int column) {
        return keyPlaces[column] >= 0 || isNumberOfRowKey(column);
    }

    private boolean isFetched() {
        return fetchedAt == transaction.changes();
    }

    /// Whether a number is read from the row key: without the row, unless that has been fetched.
    private boolean inRowKey(int column) {
        return isNumberOfRowKey(column) && !isFetched();
    }

    private boolean isNumberOfRowKey(int column) {
        return rowKeyPlaces[column] >= 0
                && table.table().columns().get(column).type().shape() == Type.Shape.LONG;
    }

    private long longInRowKey(int column) {
        requireStanding();
        locate(key);
        reader.over(key);
        for (int i = 0; i < rowKeyPlaces[column]; i++) {
            reader.skip(table.keyTypes()[i]);
        }
        return reader.takeLong();
    }

    private boolean inKey(int column) {
        return keyPlaces[column] >= 0 && neededBefore < FETCHES_EXPECTED && !isFetched();
    }

    /// The row, for a column of it that is not read from the key.
    private StoredRow row(int column) {
        needed |= keyPlaces[column] < 0;
        return row();
    }

    private StoredRow row() {
        if (!isFetched()) {
            requireStanding();
            fetch(value);
            row.point(value);
            fetchedAt = transaction.changes();
        }
        return row;
    }

    /// The index's key, read up to `column`.
    private KeyReader key(int column) {
        requireStanding();
        readKey(reader);
        IndexEntry of = index;
        for (int i = 0; of != null && i < keyPlaces[column]; i++) {
            reader.skip(of.types()[i]);
        }
        return reader;
    }

    @Override
    public final void sliceAt(int column, Slice out) {
        row(column).sliceAt(column, out);
    }

    @Override
    public final boolean isNull(int column) {
        if (isFetched()) {
            return row(column).isNull(column);
        }
        return inKey(column) ? key(column).isNull() : row(column).isNull(column);
    }

    @Override
    public final long longAt(int column) {
        if (isFetched()) {
            return row(column).longAt(column);
        }
        if (inKey(column)) {
            return key(column).takeLong();
        }
        return inRowKey(column) ? longInRowKey(column) : row(column).longAt(column);
    }

    @Override
    public final double doubleAt(int column) {
        return row(column).doubleAt(column);
    }

    @Override
    public final @Nullable BigDecimal decimalAt(int column) {
        return row(column).decimalAt(column);
    }

    @Override
    public final long digitsAt(int column, int scale) {
        return row(column).digitsAt(column, scale);
    }

    @Override
    public final void copyDecimal(int column, Tuple out, int to) {
        row(column).copyDecimal(column, out, to);
    }

    @Override
    public final @Nullable String symbolAt(int column) {
        return inKey(column) ? key(column).takeText() : row(column).symbolAt(column);
    }

    @Override
    public final @Nullable String textAt(int column) {
        return inKey(column) ? key(column).takeText() : row(column).textAt(column);
    }

    @Override
    public final byte @Nullable [] bytesAt(int column) {
        if (column == keyPlaces.length - 1) { // see Table.keyed
            requireStanding();
            locate(key);
            return key.toBytes();
        }
        return inKey(column)
                ? key(column).takeBytes(table.table().columns().get(column).type())
                : row(column).bytesAt(column);
    }
}
