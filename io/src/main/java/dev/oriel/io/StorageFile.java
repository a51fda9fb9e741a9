package dev.oriel.io;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// One file of the engine: positional reads and writes, one kind of sync, and a read-only map.
///
/// The engine reaches the disk through these few methods alone. So a simulator can replace it (testkit's
/// `SimDirectory`) and lose, tear or reorder unsynced writes.
///
/// Every method may be called by any thread, also by one whose interrupt flag is set: an interrupt never closes
/// the file and never shortens a transfer. A failed `write` or `sync` leaves the bytes concerned in an unknown
/// state; the caller must not retry, but recover from the bytes on the disk.
public interface StorageFile extends AutoCloseable {
    /// Alignment in bytes of [#writeDurably].
    int DURABLE_BLOCK_BYTES = 4096;

    /// Length of the file in bytes.
    long size() throws IOException;

    /// Reads exactly `into.byteSize()` bytes from `position`; past the end of the file it throws
    /// [java.io.EOFException].
    void read(long position, MemorySegment into) throws IOException;

    /// Writes all of `from` at `position`, and grows the file if it reaches past the end. When it returns, the
    /// bytes survive the death of the process, but not yet the death of the machine.
    void write(long position, MemorySegment from) throws IOException;

    /// Sets the length. Growth is made of written zeros, never of a hole, so that a full disk is
    /// an error here and not at some later write.
    void resize(long size) throws IOException;

    /// Makes all earlier writes survive the death of the machine.
    void sync() throws IOException;

    /// Overwrites bytes of the file with all of `from`, and makes these survive the death of the machine. It is a
    /// `write` and a `sync` in one, which covers no earlier write and no length. It may be the faster way, or the
    /// slower one. Position and length must be multiples of [#DURABLE_BLOCK_BYTES], and the bytes must lie inside
    /// the file. `from` must be native memory that begins at such a multiple.
    void writeDurably(long position, MemorySegment from) throws IOException;

    /// A read-only view of `length` bytes from `position`, which must lie inside the file. Later writes through
    /// this port show in it. It stays usable for as long as it is referenced, also after `close`.
    MemorySegment map(long position, long length) throws IOException;

    /// Whether a file of which a map is referenced can be neither deleted nor made shorter, as on Windows. Such a file
    /// is not mapped then.
    default boolean isHeldByMaps() {
        return false;
    }

    /// Closes the file; a second call does nothing.
    @Override
    void close() throws IOException;
}
