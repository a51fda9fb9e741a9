package dev.oriel.store.records;

import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.page.Node;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The chunks of long records: rows after the row of the record, under `id, generation, index`. A record has one
/// generation of chunks; during a replacement, the other one is written. Belongs to one [Records].
final class RecordChunks {
    private final Tree records;
    private final MemorySegment keyMemory = Arena.ofAuto().allocate(RecordFormat.CHUNK_KEY_BYTES);
    private final MemorySegment endMemory = Arena.ofAuto().allocate(RecordFormat.CHUNK_KEY_BYTES);
    private final Slice key = new Slice();
    private final Slice end = new Slice();
    private final Slice chunk = new Slice();

    RecordChunks(Tree records) {
        this.records = records;
    }

    /// Writes the chunk in `memory` and all that follow it, and returns their length in bytes. If that fails, the
    /// caller deletes the chunks written.
    <E extends Exception> long write(
            Transaction transaction,
            long id,
            int generation,
            MemorySegment memory,
            RecordPieces<E> pieces)
            throws E {
        long length = 0;
        int bytes = RecordFormat.CHUNK_BYTES;
        for (int index = 0; bytes > 0; index++) {
            chunk.set(memory, RecordFormat.HEADER_BYTES_MAX, bytes);
            transaction.put(
                    records, RecordFormat.chunkKey(keyMemory, id, generation, index, key), chunk);
            length += bytes;
            bytes =
                    bytes == RecordFormat.CHUNK_BYTES
                            ? pieces.next(memory, RecordFormat.HEADER_BYTES_MAX)
                            : 0;
        }
        return length;
    }

    /// Removes the chunks of a generation.
    void delete(Transaction transaction, long id, int generation) {
        RecordFormat.chunkKey(keyMemory, id, generation, 0, key);
        if (generation == 0) {
            RecordFormat.chunkKey(endMemory, id, 1, 0, end);
        } else {
            RecordFormat.rowKey(endMemory, id + 1, end);
        }
        transaction.deleteRange(records, key, end);
    }

    /// Replaces the row in `content` by the record's content, assembled in the slice's own memory.
    void fetch(Transaction transaction, long id, Slice content) {
        int generation = RecordFormat.generation(content);
        long length = RecordFormat.length(content);
        if (length > Node.VALUE_BYTES_MAX) {
            throw new LimitException(
                    "The record is too long to be fetched as a whole; open it as a stream",
                    "bytes=%d max=%d".formatted(length, Node.VALUE_BYTES_MAX));
        }
        content.setOwn((int) length);
        long done = 0;
        for (int index = 0; done < length; index++) {
            RecordFormat.chunkKey(keyMemory, id, generation, index, key);
            long bytes = Math.min(RecordFormat.CHUNK_BYTES, length - done);
            if (!transaction.get(records, key, chunk) || chunk.length() != bytes) {
                throw RecordFormat.damaged("id=" + id + " chunk=" + index);
            }
            MemorySegment.copy(chunk.segment(), chunk.offset(), content.segment(), done, bytes);
            done += bytes;
        }
    }
}
