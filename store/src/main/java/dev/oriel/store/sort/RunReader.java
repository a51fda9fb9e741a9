package dev.oriel.store.sort;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.page.Page;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The entries of one sorted run, read piece by piece.
public final class RunReader extends EntryMerge.Source {
    private final RunFile file;
    private final long end;
    private MemorySegment piece;

    /// Offset of the piece in the file; below it, the number of bytes read, and the offset of the next entry in
    /// the piece.
    private long pieceAt;

    private long pieceBytes;
    private long next;

    RunReader(RunFile file, long begin, long end, int age, long pieceBytes) {
        super(age);
        this.file = file;
        this.end = end;
        this.pieceAt = begin;
        this.piece = Arena.ofAuto().allocate(pieceBytes, 8);
    }

    @Override
    public boolean next() {
        if (pieceAt + next == end) {
            return false;
        }
        require(EntryBuffer.HEADER_BYTES);
        long keyBytes = piece.get(Page.INT, next);
        long valueBytes = piece.get(Page.INT, next + 4);
        long all = EntryBuffer.HEADER_BYTES + keyBytes + valueBytes;
        require(all);
        long keyAt = next + EntryBuffer.HEADER_BYTES;
        key.set(piece, keyAt, (int) keyBytes);
        value.set(piece, keyAt + keyBytes, (int) valueBytes);
        next += all;
        return true;
    }

    /// Loads more of the run, unless `bytes` bytes from the next entry on are in the piece.
    private void require(long bytes) {
        if (next + bytes <= pieceBytes) {
            return;
        }
        pieceAt += next;
        next = 0;
        if (bytes > piece.byteSize()) {
            piece = Arena.ofAuto().allocate(Math.max(bytes, 2 * piece.byteSize()), 8);
        }
        pieceBytes = Math.min(piece.byteSize(), end - pieceAt);
        if (pieceBytes < bytes) {
            throw new CorruptionException(
                    "A sorted run of a bulk load is damaged; roll it back", "position=" + pieceAt);
        }
        file.read(pieceAt, piece.asSlice(0, pieceBytes));
    }
}
