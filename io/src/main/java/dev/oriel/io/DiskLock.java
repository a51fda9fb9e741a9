package dev.oriel.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// A lock on a folder: the operating system's lock on the file `lock` in it, which also names the
/// process that holds it. The operating system releases it when the process dies, so a file left
/// behind by a crash locks nobody out.
///
/// Who may not write there shares a lock on the same byte with others who only read ([#acquireToRead]); it
/// cannot say who it is.
///
/// A second attempt from this process is turned away before it opens the file: closing that second
/// descriptor would release the first one's lock (POSIX).
final class DiskLock implements AutoCloseable {
    static final String FILE = "lock";

    /// Far behind the text: on Windows nobody else could read a byte that is locked.
    private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

    /// Identities of the lock files that this process holds.
    private static final Set<Object> HELD = ConcurrentHashMap.newKeySet();

    private final Object identity;
    private final FileChannel channel;
    private final AtomicBoolean closed = new AtomicBoolean();

    private DiskLock(Object identity, FileChannel channel) {
        this.identity = identity;
        this.channel = channel;
    }

    static DiskLock acquire(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        return acquire(file, identity(file), false);
    }

    /// Against those who write, and beside those who read. The file must be there, and be readable.
    static DiskLock acquireToRead(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        return acquire(file, existingIdentity(file), true);
    }

    private static DiskLock acquire(Path file, Object identity, boolean shared) throws IOException {
        if (!HELD.add(identity)) {
            throw heldHere();
        }
        boolean acquired = false;
        try {
            FileChannel channel = Uninterrupted.call(() -> lockedChannel(file, shared));
            acquired = true;
            return new DiskLock(identity, channel);
        } finally {
            if (!acquired) {
                HELD.remove(identity);
            }
        }
    }

    /// What tells one lock file from another under all the names of its folder: device and inode,
    /// or on Windows the real path. Creates the file where there is none.
    private static Object identity(Path file) throws IOException {
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isRegularFile(file)) {
                throw e;
            }
        }
        return existingIdentity(file);
    }

    private static Object existingIdentity(Path file) throws IOException {
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        return key != null ? key : file.toRealPath();
    }

    private static FileChannel lockedChannel(Path file, boolean shared) throws IOException {
        FileChannel channel =
                shared
                        ? FileChannel.open(file, StandardOpenOption.READ)
                        : FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        boolean locked = false;
        try {
            if (channel.tryLock(LOCKED_BYTE, 1, shared) == null) {
                throw new LockedException(holder(channel));
            }
            if (!shared) {
                write(channel, Long.toString(ProcessHandle.current().pid()));
            }
            locked = true;
            return channel;
        } catch (OverlappingFileLockException e) {
            // Another copy of this class, in a class loader of its own, holds it.
            LockedException held = heldHere();
            held.initCause(e);
            throw held;
        } finally {
            if (!locked) {
                channel.close();
            }
        }
    }

    private static void write(FileChannel channel, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        channel.truncate(0);
        while (bytes.hasRemaining()) {
            channel.write(bytes, bytes.position());
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(20);
        int length = Math.max(0, channel.read(bytes, 0));
        String pid = new String(bytes.array(), 0, length, StandardCharsets.US_ASCII).strip();
        try {
            long last = Long.parseLong(pid);
            // Who only reads leaves the text as it is, so it may name one that has gone long ago.
            return last == ProcessHandle.current().pid() || ProcessHandle.of(last).isEmpty()
                    ? "another process (the last one that wrote was " + last + ")"
                    : describe(last);
        } catch (NumberFormatException e) {
            // It has the lock, and has not got round to saying who it is.
            return "another process";
        }
    }

    private static LockedException heldHere() {
        return new LockedException(describe(ProcessHandle.current().pid()) + " (this one)");
    }

    private static String describe(long pid) {
        return "process " + pid;
    }

    /// Releases the lock; a second call does nothing. The file stays: deleting it would let two
    /// processes lock two files of the same name.
    @Override
    public void close() throws IOException {
        if (closed.compareAndSet(false, true)) {
            try {
                channel.close();
            } finally {
                HELD.remove(identity);
            }
        }
    }
}
