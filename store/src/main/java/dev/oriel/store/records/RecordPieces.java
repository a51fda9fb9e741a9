package dev.oriel.store.records;

import dev.oriel.store.Slice;
import dev.oriel.store.page.Page;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;

/// A source of the content of a long record, piece by piece.
///
/// @param <E> exception of reading a piece
@FunctionalInterface
interface RecordPieces<E extends Exception> {
    /// Copies the next piece to `memory` and returns its length: a whole chunk, less for the last one, and 0 from
    /// then on.
    int next(MemorySegment memory, long at) throws E;

    /// The rest of `stream`.
    static RecordPieces<IOException> of(InputStream stream) {
        byte[] buffer = new byte[RecordFormat.CHUNK_BYTES];
        return (memory, at) -> {
            int bytes = stream.readNBytes(buffer, 0, buffer.length);
            MemorySegment.copy(buffer, 0, memory, Page.BYTE, at, bytes);
            return bytes;
        };
    }

    /// All of `content`.
    static RecordPieces<RuntimeException> of(byte[] content) {
        return of(MemorySegment.ofArray(content));
    }

    /// All of `content`, which is too long for a page.
    static RecordPieces<RuntimeException> of(Slice content) {
        return of(content.segment().asSlice(content.offset(), content.length()));
    }

    private static RecordPieces<RuntimeException> of(MemorySegment content) {
        return new RecordPieces<>() {
            private long done;

            @Override
            public int next(MemorySegment memory, long at) {
                int bytes = (int) Math.min(RecordFormat.CHUNK_BYTES, content.byteSize() - done);
                MemorySegment.copy(content, done, memory, at, bytes);
                done += bytes;
                return bytes;
            }
        };
    }
}
