package dev.oriel.store.records;

import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.page.Page;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Reads a record as a stream, a chunk at a time.
final class RecordStream extends InputStream {
    private final Transaction transaction;
    private final Tree records;
    private final long id;
    private final int generation;
    private final long length;
    private final MemorySegment keyMemory = Arena.ofAuto().allocate(RecordFormat.CHUNK_KEY_BYTES);
    private final Slice key = new Slice();

    /// Copy of the current chunk: the transaction may write while the stream is open.
    private final Slice chunk = new Slice();

    private final Slice found = new Slice();

    /// Index of the chunk held; -1 before the first.
    private long held = -1;

    private long position;

    private RecordStream(
            Transaction transaction, Tree records, long id, int generation, long length) {
        this.transaction = transaction;
        this.records = records;
        this.id = id;
        this.generation = generation;
        this.length = length;
    }

    /// Opens the record `id`, whose row is `row`.
    static RecordStream of(Transaction transaction, Tree records, long id, Slice row) {
        if (RecordFormat.isBig(row)) {
            int generation = RecordFormat.generation(row);
            return new RecordStream(transaction, records, id, generation, RecordFormat.length(row));
        }
        RecordFormat.content(row, row);
        RecordStream stream = new RecordStream(transaction, records, id, 0, row.length());
        stream.chunk.setCopy(row);
        stream.held = 0;
        return stream;
    }

    @Override
    public int read() {
        if (position == length) {
            return -1;
        }
        hold();
        long at = chunk.offset() + position % RecordFormat.CHUNK_BYTES;
        position++;
        return Byte.toUnsignedInt(chunk.segment().get(Page.BYTE, at));
    }

    @Override
    public int read(byte[] into, int offset, int bytesMax) {
        Objects.checkFromIndexSize(offset, bytesMax, into.length);
        if (bytesMax == 0) {
            return 0;
        }
        if (position == length) {
            return -1;
        }
        hold();
        int at = (int) (position % RecordFormat.CHUNK_BYTES);
        int bytes = Math.min(bytesMax, chunk.length() - at);
        MemorySegment.copy(chunk.segment(), Page.BYTE, chunk.offset() + at, into, offset, bytes);
        position += bytes;
        return bytes;
    }

    /// Skips at no cost: the chunks between are not read.
    @Override
    public long skip(long bytes) {
        long skipped = Math.clamp(bytes, 0, length - position);
        position += skipped;
        return skipped;
    }

    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, length - position);
    }

    /// Loads the chunk of the next byte.
    private void hold() {
        long index = position / RecordFormat.CHUNK_BYTES;
        if (held == index) {
            return;
        }
        held = -1;
        RecordFormat.chunkKey(keyMemory, id, generation, (int) index, key);
        if (!transaction.get(records, key, found)) {
            throw new UsageException(
                    "The record was changed or deleted while it was read as a stream; open it again",
                    "id=" + id);
        }
        long expected =
                Math.min(RecordFormat.CHUNK_BYTES, length - index * RecordFormat.CHUNK_BYTES);
        if (found.length() != expected) {
            throw RecordFormat.damaged("id=" + id + " chunk=" + index);
        }
        chunk.setCopy(found);
        held = index;
    }
}
