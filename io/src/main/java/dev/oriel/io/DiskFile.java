package dev.oriel.io;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A file of the file system.
///
/// A [FileChannel] closes itself for all threads when a thread that uses it is interrupted. An
/// [AsynchronousFileChannel] does not. On Linux and macOS it runs each transfer as one `pread` or `pwrite` on its
/// executor. With an executor that executes in the calling thread it is a plain positional file: no other thread,
/// no waiting. On Windows transfers overlap and the caller waits.
///
/// Safe for use by any number of threads.
final class DiskFile implements StorageFile {
    /// Greatest transfer of one system call: `asByteBuffer` ends at 2 GB.
    private static final long TRANSFER_BYTES_MAX = 1L << 30;

    private static final long ZEROS_BYTES_MAX = 1L << 20;

    private static final ExecutorService CALLER = new CallerExecutor();

    /// The option to bypass the system's cache, by its name: a compiler warns of its type, and not each system has
    /// it.
    private static final @Nullable OpenOption DIRECT = direct();

    private final Object lock = new Object();
    private final Path path;
    private final AsynchronousFileChannel channel;
    private final boolean writable;

    /// Channel for [#writeDurably], opened at its first call.
    private volatile @Nullable AsynchronousFileChannel durable;

    private volatile boolean durableTried;

    private DiskFile(Path path, AsynchronousFileChannel channel, boolean writable) {
        this.path = path;
        this.channel = channel;
        this.writable = writable;
    }

    private static @Nullable OpenOption direct() {
        try {
            for (Object option :
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
                if (option instanceof OpenOption found && "DIRECT".equals(found.toString())) {
                    return found;
                }
            }
        } catch (ClassNotFoundException e) {
            note("No direct writes on this system", e);
        }
        return null;
    }

    /// The JVM's logging is set up only if there is a message to log.
    private static void note(String what, Exception reason) {
        System.getLogger("dev.oriel.io").log(System.Logger.Level.DEBUG, what, reason);
    }

    /// @param mode of the file, if it is created
    static DiskFile open(Path path, FileMode mode) throws IOException {
        Set<StandardOpenOption> options =
                Set.of(
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE);
        return new DiskFile(
                path, AsynchronousFileChannel.open(path, options, CALLER, mode.ofFile(path)), true);
    }

    static DiskFile openReadOnly(Path path) throws IOException {
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.READ);
        return new DiskFile(path, AsynchronousFileChannel.open(path, options, CALLER), false);
    }

    @Override
    public long size() throws IOException {
        return channel.size();
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
        long length = into.byteSize();
        long done = 0;
        while (done < length) {
            ByteBuffer part = part(into, done, length);
            int count = await(channel.read(part, position + done));
            if (count <= 0) {
                throw new EOFException(
                        path + ": " + length + " bytes at " + position + " reach past the end");
            }
            done += count;
        }
    }

    @Override
    public void write(long position, MemorySegment from) throws IOException {
        checkWritable();
        long length = from.byteSize();
        long done = 0;
        while (done < length) {
            done += await(channel.write(part(from, done, length), position + done));
        }
    }

    @Override
    public void resize(long size) throws IOException {
        checkWritable();
        long old = channel.size();
        if (size <= old) {
            channel.truncate(size);
            return;
        }
        try {
            writeZeros(old, size);
        } catch (IOException e) {
            giveBack(old, e);
            throw e;
        }
    }

    private void writeZeros(long from, long to) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment zeros = arena.allocate(Math.min(to - from, ZEROS_BYTES_MAX));
            for (long at = from; at < to; at += zeros.byteSize()) {
                write(at, zeros.asSlice(0, Math.min(zeros.byteSize(), to - at)));
            }
        }
    }

    /// Undoes partial growth after a failure, as on a full disk.
    private void giveBack(long size, IOException reason) {
        try {
            channel.truncate(size);
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    @Override
    public void sync() throws IOException {
        checkWritable();
        channel.force(false);
    }

    @Override
    public void writeDurably(long position, MemorySegment from) throws IOException {
        checkWritable();
        AsynchronousFileChannel durable = durableChannel();
        if (durable == null) {
            write(position, from);
            sync();
            return;
        }
        long length = from.byteSize();
        long done = 0;
        while (done < length) {
            done += await(durable.write(part(from, done, length), position + done));
        }
    }

    /// A channel past the system's cache whose writes are durable when they return; null if the file system or the
    /// operating system has none. Reads see its writes and [#write]'s.
    private @Nullable AsynchronousFileChannel durableChannel() {
        if (durableTried) {
            return durable;
        }
        synchronized (lock) {
            if (!durableTried && channel.isOpen() && DIRECT != null) {
                try {
                    Set<OpenOption> options =
                            Set.of(StandardOpenOption.WRITE, StandardOpenOption.DSYNC, DIRECT);
                    durable = AsynchronousFileChannel.open(path, options, CALLER);
                } catch (IOException | UnsupportedOperationException e) {
                    note("No direct writes to " + path, e);
                }
            }
            durableTried = true;
            return durable;
        }
    }

    @Override
    public MemorySegment map(long position, long length) throws IOException {
        long size = channel.size();
        if (position < 0 || length < 0 || position > size - length) {
            throw new EOFException(
                    path + ": " + length + " bytes at " + position + " reach past the end");
        }
        // Only a FileChannel can map. The mapping does not need it afterwards.
        return Uninterrupted.call(() -> {
            try (FileChannel mapped = FileChannel.open(path, StandardOpenOption.READ)) {
                return mapped.map(FileChannel.MapMode.READ_ONLY, position, length, Arena.ofAuto());
            }
        });
    }

    @Override
    public boolean isHeldByMaps() {
        return DiskDirectory.WINDOWS;
    }

    @Override
    public void close() throws IOException {
        synchronized (lock) {
            channel.close();
            if (durable != null) {
                durable.close();
            }
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }

    private void checkWritable() throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        if (!writable) {
            throw new AccessDeniedException(path.toString(), null, "opened for reading only");
        }
    }

    private static ByteBuffer part(MemorySegment segment, long done, long length) {
        boolean whole = done == 0 && length <= TRANSFER_BYTES_MAX;
        return whole
                ? segment.asByteBuffer()
                : segment.asSlice(done, Math.min(length - done, TRANSFER_BYTES_MAX)).asByteBuffer();
    }

    /// Waits for a transfer and ignores interrupts, whose flag is set again afterwards.
    private static int await(Future<Integer> transfer) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return transfer.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof IOException failure
                            ? failure
                            : new IOException("transfer failed", e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Runs each task in the thread that submits it. Shared by all files and never ended.
    private static final class CallerExecutor extends AbstractExecutorService {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return false;
        }
    }
}
