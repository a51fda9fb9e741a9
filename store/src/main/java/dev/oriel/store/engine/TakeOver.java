package dev.oriel.store.engine;

import dev.oriel.io.FolderLock;
import dev.oriel.io.StorageFile;
import dev.oriel.store.LimitException;
import dev.oriel.store.data.FileHeader;
import dev.oriel.store.file.Fence;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Settles whether an opening with a doubtful lock is alone. It replaces the owner token, so that a live holder
/// writes nothing more ([Fence]). Then it waits until writes in progress have ended, and checks that the token is
/// still there. Apart from the token, the header it writes equals the one before.
final class TakeOver {
    private final FolderLock lock;
    private final Fence fence;
    private final LongConsumer pause;
    private final Headers headers;

    /// Reads the newest header.
    @FunctionalInterface
    interface Headers {
        @Nullable FileHeader newest(StorageFile file) throws IOException;
    }

    TakeOver(FolderLock lock, Fence fence, LongConsumer pause, Headers headers) {
        this.lock = lock;
        this.fence = fence;
        this.pause = pause;
        this.headers = headers;
    }

    /// Returns the newest header, which no other process replaces from now on.
    ///
    /// @param cutOff whether the other header page has no complete header. Then the machine has crashed since,
    ///     and no header may follow `read` before the log was read: the log may have commits even though `read`
    ///     denies it
    /// @throws LimitException if another holder has written meanwhile
    FileHeader run(StorageFile file, FileHeader read, boolean cutOff) throws IOException {
        if (!lock.isDoubtful()) {
            return read;
        }
        FileHeader newest = read;
        if (read.owner() != 0 && !cutOff) {
            refuseOther(read, headers.newest(file));
            FileHeader claim = read.ownedBy(fence.owner()).again(read.clean());
            fence.replace(claim.page(), claim.owner(), () -> write(file, claim));
            pause.accept(Opening.GRACE_NANOS);
            refuseOther(claim, headers.newest(file));
            newest = claim;
        }
        lock.settle();
        return newest;
    }

    private void refuseOther(FileHeader expected, @Nullable FileHeader found) {
        if (!expected.equals(found)) {
            throw new LimitException(
                    "The database is in use; close it there first",
                    "holder=a process that cannot be seen from here, perhaps of another container");
        }
    }

    private static void write(StorageFile file, FileHeader header) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(Page.BYTES);
            header.encode(page);
            PageChecksum.complete(page, 0);
            file.write(header.page() << Page.SHIFT, page);
            file.sync();
        }
    }

    /// Waits for `nanos` nanoseconds by `clock`; an interrupt does not shorten it.
    static void pause(long nanos, LongSupplier clock) {
        boolean interrupted = Thread.interrupted();
        long begun = clock.getAsLong();
        for (long left = nanos; left > 0; left = nanos - (clock.getAsLong() - begun)) {
            LockSupport.parkNanos(left);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
