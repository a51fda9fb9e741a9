package dev.oriel.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A lock on a folder: the operating system's lock on the file `lock` in it, which also names the process that
/// holds it. The operating system releases it when the process dies, so a file left behind by a crash locks no
/// process out.
///
/// A process that may not write there shares a lock on the same byte with other readers ([#acquireToRead]); it
/// cannot record its identity.
///
/// POSIX releases the lock of a process as soon as any descriptor of the file is closed in that process. So three
/// measures supplement the system's lock:
/// - A second attempt from this process is turned away before it opens the file. Class loaders with copies of this
///   class share the list of held folders, which is in the system properties.
/// - If the file was opened nevertheless, because the properties were replaced, the channel stays open for the
///   next attempt.
/// - An opener that gets the lock believes the text before the lock: if the process that the text names is alive,
///   the folder is in use ([LockText]).
final class DiskLock implements FolderLock {
    static final String FILE = "lock";

    /// Far beyond the text: on Windows no other process could read a locked byte.
    private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

    private static final String PROPERTY = "dev.oriel.lock.";

    /// Identities of the folders that this class holds in this process; the system properties list the folders of
    /// all class loaders.
    private static final Set<String> HELD = ConcurrentHashMap.newKeySet();

    /// Channels whose closing would release the lock of another class loader, by the identity of their folder: at
    /// most one to write and one to read.
    private static final ConcurrentMap<String, FileChannel> KEPT = new ConcurrentHashMap<>();

    private final String identity;
    private final String property;
    private final boolean shared;
    private volatile boolean doubtful;
    private final AtomicBoolean closed = new AtomicBoolean();

    /// Channel of the lock; null until it is locked.
    private volatile @Nullable FileChannel channel;

    private DiskLock(String identity, boolean shared) {
        this.identity = identity;
        this.property = PROPERTY + identity;
        this.shared = shared;
    }

    /// @param mode of the file, if it is created
    static DiskLock acquire(Path folder, FileMode mode) throws IOException {
        Path file = folder.resolve(FILE);
        create(file, mode);
        return acquire(file, identity(folder), false);
    }

    /// Locks out writers, and shares the lock with readers. The file must exist and be readable.
    static DiskLock acquireToRead(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        return acquire(file, identity(folder), true);
    }

    private static DiskLock acquire(Path file, String identity, boolean shared) throws IOException {
        DiskLock lock =
                new DiskLock(identity, shared); // first of all: memory may run out at any moment
        if (!HELD.add(identity)) {
            throw heldHere();
        }
        boolean acquired = false;
        try {
            if (System.getProperties().putIfAbsent(lock.property, "held") != null) {
                throw heldHere();
            }
            try {
                Uninterrupted.run(() -> lock.lock(file));
                acquired = true;
                return lock;
            } finally {
                if (!acquired) {
                    lock.closeChannel();
                    System.getProperties().remove(lock.property);
                }
            }
        } finally {
            if (!acquired) {
                HELD.remove(identity);
            }
        }
    }

    /// The mode of the lock's file; empty if it does not exist or its file system has no such permissions.
    static Optional<FileMode> mode(Path folder) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(folder.resolve(FILE), PosixFileAttributeView.class);
        try {
            return view == null
                    ? Optional.empty()
                    : Optional.of(
                            view.readAttributes()
                                            .permissions()
                                            .contains(PosixFilePermission.GROUP_READ)
                                    ? FileMode.GROUP
                                    : FileMode.OWNER);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static void create(Path file, FileMode mode) throws IOException {
        try {
            Files.createFile(file, mode.ofFile(file));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isRegularFile(file)) {
                throw e;
            }
        }
    }

    /// Identity of the folder under all its names: device and inode, or on Windows the real path. It is the
    /// folder's and not the file's, which may be deleted or replaced while it is locked.
    private static String identity(Path folder) throws IOException {
        Object key = Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
        return String.valueOf(key != null ? key : folder.toRealPath());
    }

    private void lock(Path file) throws IOException {
        String kept = identity + shared;
        FileChannel before = KEPT.remove(kept);
        FileChannel opened = before != null ? before : open(file, shared);
        channel = opened;
        try {
            if (opened.tryLock(LOCKED_BYTE, 1, shared) == null) {
                throw new LockedException(holder(opened));
            }
            LockText own = LockText.own(identity);
            String text = text(opened);
            LockText named = LockText.parse(text);
            if (named != null && named.isSeenAlive(own)) {
                throw new LockedException(
                        describe(named.pid()) + ", whose lock was released by accident");
            }
            boolean free = named == null ? text.equals(LockText.CLOSED) : named.isDead(own);
            doubtful = !shared && !free;
            if (!shared && (free || named == null)) {
                write(opened, own.bytes());
            }
        } catch (OverlappingFileLockException e) {
            channel = null;
            KEPT.put(kept, opened);
            LockedException held = heldHere();
            held.initCause(e);
            throw held;
        }
    }

    private static FileChannel open(Path file, boolean shared) throws IOException {
        return shared
                ? FileChannel.open(file, StandardOpenOption.READ)
                : FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static void write(FileChannel channel, byte[] text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text);
        channel.truncate(0);
        while (bytes.hasRemaining()) {
            channel.write(bytes, bytes.position());
        }
    }

    private static String text(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LockText.bytesMax());
        int length = Math.max(0, channel.read(bytes, 0));
        return new String(bytes.array(), 0, length, StandardCharsets.UTF_8);
    }

    private static String holder(FileChannel channel) throws IOException {
        LockText named = LockText.parse(text(channel));
        if (named == null) {
            return "another process"; // it has the lock, and has not written its identity yet
        }
        long last = named.pid();
        // A reader leaves the text as it is, so it may name a process that ended long ago.
        return last == ProcessHandle.current().pid() || ProcessHandle.of(last).isEmpty()
                ? "another process (the last one that wrote was " + last + ")"
                : describe(last);
    }

    private static LockedException heldHere() {
        return new LockedException(
                describe(ProcessHandle.current().pid())
                        + " (this one; close it there first, perhaps in another class loader)");
    }

    private static String describe(long pid) {
        return "process " + pid;
    }

    @Override
    public boolean isDoubtful() {
        return doubtful;
    }

    @Override
    public void settle() throws IOException {
        if (doubtful) {
            Uninterrupted.run(this::name);
            doubtful = false;
        }
    }

    private void name() throws IOException {
        FileChannel locked = channel;
        if (locked != null) {
            write(locked, LockText.own(identity).bytes());
        }
    }

    /// Releases the lock; a second call does nothing. The file stays, with a text that says so: deleting it would
    /// let two processes lock two files of the same name.
    @Override
    public void close() throws IOException {
        if (closed.compareAndSet(false, true)) {
            try {
                if (!shared) {
                    Uninterrupted.run(this::eraseText);
                }
            } finally {
                try {
                    closeChannel();
                } finally {
                    System.getProperties().remove(property);
                    HELD.remove(identity);
                }
            }
        }
    }

    private void eraseText() throws IOException {
        FileChannel locked = channel;
        if (locked != null && LockText.own(identity).equals(LockText.parse(text(locked)))) {
            String last = doubtful ? "" : LockText.CLOSED;
            write(locked, last.getBytes(StandardCharsets.UTF_8));
        }
    }

    /// Closes in the caller's thread: that needs no memory for a thread, and no interrupt keeps it from closing.
    private void closeChannel() throws IOException {
        FileChannel locked = channel;
        if (locked != null) {
            locked.close();
        }
    }
}
