package dev.oriel.store.delta;

import dev.oriel.store.Slice;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;

/// The memory by which a reader follows node numbers and entry addresses of one [DeltaLayer]: arrays that are replaced,
/// never changed, when memory is added.
///
/// ```
/// nodes[]    chunks of nodes, see DeltaNodes
/// entries[]  chunks of entries: | u32 key length | i32 value length | key | value |
/// ```
/// An address is a chunk's index above 32 bits of the offset in it. A value of length -1 is a removal.
@SuppressWarnings("ArrayRecordComponent") // shared on purpose, as in PageTable.View
record DeltaMemory(long[][] nodes, MemorySegment[] entries) {
    static final int HEADER_BYTES = 8;

    MemorySegment chunk(long address) {
        return entries[(int) (address >>> 32)];
    }

    /// Whether `address` lies in the same memory here and in `other`.
    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"}) // the very chunk
    boolean isSameChunk(DeltaMemory other, long address) {
        return chunk(address) == other.chunk(address);
    }

    static long offset(long address) {
        return address & 0xFFFF_FFFFL;
    }

    int keyLength(long address) {
        return chunk(address).get(Page.INT, offset(address));
    }

    /// Length of the value, or -1 for a removal.
    int valueLength(long address) {
        return chunk(address).get(Page.INT, offset(address) + 4);
    }

    void key(long address, Slice out) {
        MemorySegment chunk = chunk(address);
        long at = offset(address);
        out.set(chunk, at + HEADER_BYTES, chunk.get(Page.INT, at));
    }

    /// Points `out` at the value; its length is -1 for a removal.
    void value(long address, Slice out) {
        MemorySegment chunk = chunk(address);
        long at = offset(address);
        int key = chunk.get(Page.INT, at);
        out.set(chunk, at + HEADER_BYTES + key, chunk.get(Page.INT, at + 4));
    }

    /// Compares the key at `address` with `key`.
    int compareKey(long address, Slice key) {
        MemorySegment chunk = chunk(address);
        long at = offset(address);
        return Slice.compare(
                chunk,
                at + HEADER_BYTES,
                chunk.get(Page.INT, at),
                key.segment(),
                key.offset(),
                key.length());
    }

    /// Compares the keys at two addresses.
    int compareKeys(long a, long b) {
        MemorySegment chunkA = chunk(a);
        MemorySegment chunkB = chunk(b);
        long atA = offset(a);
        long atB = offset(b);
        return Slice.compare(
                chunkA,
                atA + HEADER_BYTES,
                chunkA.get(Page.INT, atA),
                chunkB,
                atB + HEADER_BYTES,
                chunkB.get(Page.INT, atB));
    }
}
