package dev.oriel.table.transaction;

import dev.oriel.store.Slice;
import dev.oriel.table.array.SortedArray;
import dev.oriel.table.array.SortedBlock;
import dev.oriel.table.key.KeyReader;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.NativeBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Rows in the order of an ARRAY index. The ends of the range are found once, so a step compares two numbers.
///
/// The array is immutable. If the transaction has changed the index since the last step, the cursor finds its last
/// entry in the new array and continues from there.
final class ArrayCursor extends StoredCursor {
    private final NativeBuffer rowKeyBytes = new NativeBuffer(64);
    private byte[] bound = new byte[64];
    private SortedArray array = SortedArray.EMPTY;

    /// The range in positions, and the current entry, or the last one.
    private long from;

    private long to;
    private long at;
    private boolean started;

    ArrayCursor(StoredTransaction transaction, TableEntry table, IndexEntry index) {
        super(transaction, table, index);
    }

    @Override
    int wholeColumns() {
        return 0;
    }

    @Override
    void start() {
        transaction.store().observe(table.tree());
        array = current();
        findEnds();
        started = false;
    }

    private SortedArray current() {
        IndexEntry of = index;
        if (of == null) {
            throw notOpened();
        }
        return transaction.arrays().seen(of);
    }

    private void findEnds() {
        from = bounds.hasLow() ? find(bounds.low()) : array.begin();
        to = bounds.hasHigh() ? find(bounds.high()) : array.end();
    }

    private long find(Slice key) {
        int length = key.length();
        if (bound.length < length) {
            bound = new byte[2 * length];
        }
        MemorySegment.copy(key.segment(), NativeBuffer.BYTE, key.offset(), bound, 0, length);
        return array.ceiling(bound, length);
    }

    @Override
    boolean advance() {
        if (transaction.writable() && array != current()) {
            return advanceInChanged();
        }
        if (!started) {
            started = true;
            at = descending ? array.before(to) : from;
        } else if (isInside()) {
            at = descending ? array.before(at) : array.after(at);
        }
        return isInside();
    }

    @Override
    void leavePlace() {} // a change by the transaction makes a new array

    private boolean isInside() {
        return at >= from && at < to;
    }

    private boolean advanceInChanged() {
        if (!started || !isInside()) {
            boolean ended = started;
            array = current();
            findEnds();
            if (ended) {
                at = descending ? from - 1 : to;
                return false;
            }
            return advance();
        }
        SortedBlock block = array.block(at);
        int start = block.start((int) at);
        byte[] last = Arrays.copyOfRange(block.bytes(), start, block.end((int) at));
        array = current();
        findEnds();
        long place = array.ceiling(last, last.length);
        boolean stillThere = array.is(place, last, last.length);
        if (descending) {
            at = array.before(place);
        } else {
            at = stillThere ? array.after(place) : place;
        }
        return isInside();
    }

    @Override
    void locate(Slice out) {
        SortedBlock block = array.block(at);
        int rowKey = block.rowKeyStart((int) at);
        int length = block.end((int) at) - rowKey;
        rowKeyBytes.clear();
        rowKeyBytes.putBytes(block.bytes(), rowKey, length);
        rowKeyBytes.slice(out);
    }

    @Override
    void readKey(KeyReader reader) {
        SortedBlock block = array.block(at);
        reader.over(block.bytes(), block.start((int) at), block.end((int) at));
    }
}
