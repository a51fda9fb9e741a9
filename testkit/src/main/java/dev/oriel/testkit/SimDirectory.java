package dev.oriel.testkit;

import dev.oriel.io.Directory;
import dev.oriel.io.FolderLock;
import dev.oriel.io.LockedException;
import dev.oriel.io.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A folder in memory that can crash, fail and fill up, at a chosen call.
///
/// **Durability.** Bytes and size of a file become durable with its own `sync`. The existence of a file, or its
/// deletion, becomes durable with the folder's `sync` alone (or, after [#namesFollowFileSync], with a sync of the
/// file too, as ext4 has it). A failed file sync makes nothing durable, and later syncs do not cover the lost
/// bytes either until they are written again. A failed sync of the folder leaves its work to the next one.
///
/// **Crash points.** The mutating calls are numbered from 1: an `open` that creates, a `delete` of an existing
/// file, `write`, `resize`, and both kinds of `sync`. A test runs a history once, reads [#operations] as N, and
/// runs it again for each k of 1 .. N with [#crashAfter] (k). The k-th call throws [SimCrash] with its effect
/// undecided, and so does every later call but `close`. Then [#crash] gives the folder as the next start of the
/// process would find it. Any number of such outcomes can be drawn, and the crashed folder itself is left alone.
///
/// ```java
/// for (int k = 1; k <= operations; k++) {
///     SimDirectory directory = new SimDirectory();
///     directory.crashAfter(k);
///     assertThrows(SimCrash.class, () -> history(directory));
///     checkRecovered(directory.crash(random, CrashProfile.ATOMIC_SECTOR));
/// }
/// ```
///
/// **Windows.** After [#asOnWindows] it refuses what Windows refuses. A file that is open or was mapped cannot be
/// deleted, and one that was mapped cannot be made shorter. Only the collector ends a map, so here none ends.
/// Names differ not by case alone, and some are refused. A folder cannot be synced: its `sync` does nothing. NTFS
/// has one journal for the existence of all files, which the sync of any file makes durable. A crash undoes the last
/// changes, never one before another. [AsOnWindows] and the system property `sim=windows` make all of them so.
///
/// Thread-safe; a map of a file can be read by any thread, as with the operating system's.
public final class SimDirectory implements Directory {
    private static final int LARGE_SECTOR = 4096;
    private static final String DISK_FULL = "No space left on device";

    /// One mutating call, as listed by [#history].
    private record Call(String verb, String name, long position, long length) {
        @Override
        public String toString() {
            return switch (verb) {
                case "write", "write durably" ->
                        verb + " " + name + " at " + position + ", " + length + " bytes";
                case "resize" -> "resize " + name + " to " + length;
                default -> verb + " " + name;
            };
        }
    }

    /// The interrupted call, to be done in part on a copy of this directory.
    @FunctionalInterface
    private interface InFlight {
        void finish(SimDirectory copy, Chooser chooser, CrashProfile profile);
    }

    private record Planned(long operation, Fault fault) {}

    /// The content of a name before it was created or deleted.
    private record NameChange(String name, Optional<SimContent> before) {}

    private final Object lock = new Object();
    private final TreeMap<String, SimContent> files = new TreeMap<>();

    /// Contents of each name created or deleted since the last sync of the folder, oldest first; the first is on
    /// the disk.
    private final TreeMap<String, List<Optional<SimContent>>> unsyncedNames = new TreeMap<>();

    private final List<Call> history = new ArrayList<>();
    private final List<Planned> faults = new ArrayList<>();
    private boolean namesFollowFileSync;
    private boolean staleMaps;
    private boolean windows = AsOnWindows.isOn();

    /// Names created or deleted since the last sync of a file, in order, on Windows.
    private final List<NameChange> journal = new ArrayList<>();

    /// Number of open files with a content, on Windows.
    private final IdentityHashMap<SimContent, Integer> open = new IdentityHashMap<>();

    private int sectorBytes = SimContent.SECTOR;
    private long spaceBytesMax = Long.MAX_VALUE;
    private long fileBytesMax = Long.MAX_VALUE;
    private long crashAt = Long.MAX_VALUE;
    private boolean crashed;
    private long bytesRead;
    private @Nullable InFlight inFlight;
    private @Nullable Runnable step;
    private @Nullable Object lockHolder;

    /// An empty folder that never fails until it is told to.
    public SimDirectory() {}

    /// Lets the sync of a file make its existence durable too.
    public SimDirectory namesFollowFileSync() {
        synchronized (lock) {
            namesFollowFileSync = true;
        }
        return this;
    }

    /// Lets maps show the file as it was when they were made, whatever is written later, as on file systems with
    /// separate caches for maps and writes.
    public SimDirectory staleMaps() {
        synchronized (lock) {
            staleMaps = true;
        }
        return this;
    }

    /// Lets it refuse what Windows refuses.
    public SimDirectory asOnWindows() {
        synchronized (lock) {
            windows = true;
        }
        return this;
    }

    boolean isWindows() {
        synchronized (lock) {
            return windows;
        }
    }

    /// Sets the sector size of the files made from now on, 512 or 4,096 bytes.
    public SimDirectory sectorBytes(int bytes) {
        if (bytes != SimContent.SECTOR && bytes != LARGE_SECTOR) {
            throw new IllegalArgumentException("a sector has 512 or 4096 bytes, not " + bytes);
        }
        synchronized (lock) {
            sectorBytes = bytes;
        }
        return this;
    }

    /// Bounds the total size of the files from now on.
    public SimDirectory spaceBytesMax(long bytes) {
        synchronized (lock) {
            spaceBytesMax = bytes;
        }
        return this;
    }

    /// Bounds the size of each file from now on, however much is free.
    public SimDirectory fileBytesMax(long bytes) {
        synchronized (lock) {
            fileBytesMax = bytes;
        }
        return this;
    }

    /// Makes mutating call number `operation`, counted from 1 since this directory was made, throw
    /// [SimCrash].
    public SimDirectory crashAfter(long operation) {
        synchronized (lock) {
            crashAt = operation;
        }
        return this;
    }

    /// Runs `step` within each later call that changes a file, at its crash point. There [#crash] returns the state
    /// that a crash would leave. So one run of a history shows all its crashes. Calls by the step itself run no step.
    public SimDirectory inEachCall(Runnable step) {
        synchronized (lock) {
            this.step = step;
        }
        return this;
    }

    /// Makes mutating call number `operation` fail; several faults can be planned.
    public SimDirectory failAt(long operation, Fault fault) {
        synchronized (lock) {
            faults.add(new Planned(operation, fault));
        }
        return this;
    }

    /// Mutating calls so far.
    public long operations() {
        synchronized (lock) {
            return history.size();
        }
    }

    /// Bytes that were read so far, without reads of maps.
    public long bytesRead() {
        synchronized (lock) {
            return bytesRead;
        }
    }

    /// The mutating calls so far, one sentence each, for the message of a failing test.
    public List<String> history() {
        synchronized (lock) {
            return history.stream().map(Call::toString).toList();
        }
    }

    /// Whether the planned crash has happened.
    public boolean crashed() {
        synchronized (lock) {
            return crashed;
        }
    }

    /// This folder as a crash at this moment could leave it, with random decisions.
    public SimDirectory crash(SplittableRandom random, CrashProfile profile) {
        return crash(Chooser.skewed(random), profile);
    }

    /// This folder as a crash at this moment could leave it. With [Exhaustive] as the chooser and
    /// few unsynced sectors, a test sees every outcome.
    public SimDirectory crash(Chooser chooser, CrashProfile profile) {
        synchronized (lock) {
            SimDirectory after = copy();
            if (inFlight != null) {
                inFlight.finish(after, chooser, profile);
            }
            if (profile != CrashProfile.PROCESS_KILL) {
                after.lose(chooser, profile == CrashProfile.GARBAGE_SECTOR);
            }
            return after;
        }
    }

    /// A copy of the files with the same unsynced past; unlocked, with no crash or fault planned.
    public SimDirectory copy() {
        SimDirectory copy = new SimDirectory();
        synchronized (lock) {
            copy.namesFollowFileSync = namesFollowFileSync;
            copy.staleMaps = staleMaps;
            copy.windows = windows;
            for (NameChange change : journal) {
                copy.journal.add(new NameChange(change.name, change.before.map(SimContent::copy)));
            }
            copy.sectorBytes = sectorBytes;
            copy.spaceBytesMax = spaceBytesMax;
            files.forEach((name, content) -> copy.files.put(name, content.copy()));
            unsyncedNames.forEach((name, past) ->
                    copy.unsyncedNames.put(
                            name,
                            new ArrayList<>(
                                    past.stream().map(old -> old.map(SimContent::copy)).toList())));
        }
        return copy;
    }

    /// The bytes of the file `name`.
    public byte[] bytes(String name) throws NoSuchFileException {
        synchronized (lock) {
            return existing(name).bytes();
        }
    }

    /// Sizes of all files in bytes, by name, of one moment. A file that [#list] has named can be deleted by another
    /// thread before [#bytes] is called; here it cannot.
    public SortedMap<String, Long> sizes() {
        synchronized (lock) {
            SortedMap<String, Long> sizes = new TreeMap<>();
            files.forEach((name, content) -> sizes.put(name, content.size()));
            return sizes;
        }
    }

    /// Total size in bytes of all files, as [#spaceBytesMax] bounds it.
    public long usedBytes() {
        return usedBytes("");
    }

    /// Total size in bytes of the files whose names begin with `prefix`, at one moment.
    public long usedBytes(String prefix) {
        synchronized (lock) {
            long used = 0;
            for (Map.Entry<String, SimContent> file : files.entrySet()) {
                used += file.getKey().startsWith(prefix) ? file.getValue().size() : 0;
            }
            return used;
        }
    }

    /// Puts a durable file with these bytes in place of the earlier file `name`, if any.
    public void put(String name, byte[] bytes) {
        synchronized (lock) {
            SimContent content = new SimContent(sectorBytes);
            content.write(0, MemorySegment.ofArray(bytes));
            content.makeDurable();
            files.put(name, content);
            unsyncedNames.remove(name);
        }
    }

    /// Flips one bit of the file, counted from bit 0 of byte 0, on the disk and in every map.
    public void flipBit(String name, long bit) throws NoSuchFileException {
        synchronized (lock) {
            existing(name).flipBit(bit);
        }
    }

    /// Cuts the file, or lengthens it by zeros, on the disk.
    public void truncate(String name, long size) throws NoSuchFileException {
        synchronized (lock) {
            SimContent content = existing(name);
            content.resize(size);
            content.makeDurable();
        }
    }

    @Override
    public List<String> list() {
        synchronized (lock) {
            checkAlive("list");
            return List.copyOf(files.keySet());
        }
    }

    @Override
    public StorageFile open(String asked) throws IOException {
        synchronized (lock) {
            checkAlive("open");
            String name = named(asked);
            SimContent content = files.get(name);
            if (content == null) {
                Call call = new Call("create", name, 0, 0);
                begin(call, (copy, chooser, profile) -> copy.maybeCreate(name, chooser));
                failIfPlanned(call);
                content = create(name);
            }
            return opened(new SimFile(this, name, content, false), content);
        }
    }

    @Override
    public StorageFile openReadOnly(String asked) throws IOException {
        synchronized (lock) {
            checkAlive("open");
            String name = named(asked);
            SimContent content = existing(name);
            return opened(new SimFile(this, name, content, true), content);
        }
    }

    /// The name of the file that `asked` means.
    private String named(String asked) {
        if (!windows) {
            return asked;
        }
        WindowsNames.check(asked);
        String folded = WindowsNames.folded(asked);
        for (String name : files.keySet()) {
            if (WindowsNames.folded(name).equals(folded)) {
                return name;
            }
        }
        return asked;
    }

    private SimFile opened(SimFile file, SimContent content) {
        if (windows) {
            open.merge(content, 1, Integer::sum);
        }
        return file;
    }

    void closed(SimContent content) {
        synchronized (lock) {
            open.computeIfPresent(content, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    @Override
    public void delete(String asked) throws IOException {
        synchronized (lock) {
            checkAlive("delete");
            String name = named(asked);
            SimContent content = files.get(name);
            if (windows && content != null && (content.isMapped() || open.containsKey(content))) {
                throw new FileSystemException(
                        name,
                        null,
                        "The process cannot access the file because it is being used by another"
                                + " process");
            }
            if (files.containsKey(name)) {
                Call call = new Call("delete", name, 0, 0);
                begin(call, (copy, chooser, profile) -> copy.maybeRemove(name, chooser));
                failIfPlanned(call);
                remove(name);
            }
        }
    }

    @Override
    public void sync() throws IOException {
        synchronized (lock) {
            Call call = new Call("sync", "the folder", 0, 0);
            begin(call, null);
            failIfPlanned(call);
            unsyncedNames.clear();
        }
    }

    @Override
    public FolderLock lock() throws LockedException {
        synchronized (lock) {
            checkAlive("lock");
            if (lockHolder != null) {
                throw new LockedException("locked by process " + ProcessHandle.current().pid());
            }
            Object holder = new Object();
            lockHolder = holder;
            return () -> {
                synchronized (lock) {
                    if (holder.equals(lockHolder)) {
                        lockHolder = null;
                    }
                }
            };
        }
    }

    @Override
    public String toString() {
        return "simulated folder";
    }

    long size(SimContent content) {
        synchronized (lock) {
            checkAlive("size");
            return content.size();
        }
    }

    void read(SimContent content, long position, MemorySegment into) throws IOException {
        synchronized (lock) {
            checkAlive("read");
            bytesRead += into.byteSize();
            content.read(position, into);
        }
    }

    MemorySegment map(SimContent content, long position, long length) throws IOException {
        synchronized (lock) {
            checkAlive("map");
            MemorySegment map = content.map(position, length);
            return staleMaps ? Arena.ofAuto().allocate(length, 8).copyFrom(map).asReadOnly() : map;
        }
    }

    void write(String name, SimContent content, long position, MemorySegment from)
            throws IOException {
        synchronized (lock) {
            long length = from.byteSize();
            Call call = new Call("write", name, position, length);
            begin(call, writeInFlight(name, content, position, from));
            Fault fault = planned();
            if (fault == Fault.SHORT_WRITE) {
                content.write(position, from.asSlice(0, length / 2));
            }
            if (fault != null) {
                throw failure(fault, call);
            }
            if (isFull(true)) {
                throw new IOException(DISK_FULL);
            }
            long fits = roomFor(content, position + length) - position;
            if (fits < length) {
                long whole = Math.max(0, fits) / sectorBytes * sectorBytes;
                content.write(position, from.asSlice(0, whole));
                throw new IOException(DISK_FULL);
            }
            content.write(position, from);
        }
    }

    /// As a write, but its bytes are on the disk when it returns.
    void writeDurably(String name, SimContent content, long position, MemorySegment from)
            throws IOException {
        synchronized (lock) {
            long length = from.byteSize();
            Call call = new Call("write durably", name, position, length);
            begin(call, writeInFlight(name, content, position, from));
            Fault fault = planned();
            if (fault == Fault.SHORT_WRITE) {
                content.write(position, from.asSlice(0, length / 2));
            }
            if (fault != null) {
                throw failure(fault, call);
            }
            if (isFull(true)) {
                throw new IOException(DISK_FULL);
            }
            if (position + length > content.size()) {
                throw new IOException("a durable write beyond the end of " + name);
            }
            content.write(position, from);
            content.makeDurable(position, position + length);
        }
    }

    void resize(String name, SimContent content, long size) throws IOException {
        synchronized (lock) {
            Call call = new Call("resize", name, 0, size);
            begin(call, resizeInFlight(name, content, size));
            failIfPlanned(call);
            if (windows && content.isMapped() && size < content.size()) {
                throw new FileSystemException(
                        name,
                        null,
                        "The requested operation cannot be performed on a file with a user-mapped"
                                + " section open");
            }
            long fits = roomFor(content, size);
            content.resize(Math.min(size, fits));
            if (fits < size) {
                throw new IOException(DISK_FULL);
            }
        }
    }

    void sync(String name, SimContent content) throws IOException {
        synchronized (lock) {
            Call call = new Call("sync", name, 0, 0);
            begin(call, null);
            Fault fault = planned();
            if (fault != null) {
                content.failSync();
                throw failure(fault, call);
            }
            content.sync();
            if (windows) {
                journal.clear();
            } else if (namesFollowFileSync && files.get(name) == content) {
                unsyncedNames.remove(name);
            }
        }
    }

    /// Counts a mutating call, and crashes if it is the planned one. `effect` is the call's effect, to be done in
    /// part; null if a crash in the middle of it leaves the same state as no call.
    private void begin(Call call, @Nullable InFlight effect) {
        checkAlive(call.verb);
        history.add(call);
        if (history.size() >= crashAt) {
            crashed = true;
            inFlight = effect;
            throw new SimCrash("operation " + history.size() + ": " + call);
        }
        Runnable planned = step;
        if (planned != null) {
            step = null;
            inFlight = effect;
            planned.run();
            inFlight = null;
            step = planned;
        }
    }

    private void checkAlive(String verb) {
        if (crashed) {
            throw new SimCrash(verb + ", called after the crash");
        }
    }

    /// The fault of the call that has just begun; null for none. A full disk is not the fault of one call:
    /// [#roomFor] handles it.
    private @Nullable Fault planned() {
        for (Planned plan : faults) {
            boolean due =
                    plan.fault == Fault.IO_ERROR_FOREVER
                            ? history.size() >= plan.operation
                            : history.size() == plan.operation;
            if (due && !plan.fault.isFullDisk()) {
                return plan.fault;
            }
        }
        return null;
    }

    private void failIfPlanned(Call call) throws IOException {
        Fault fault = planned();
        if (fault != null) {
            throw failure(fault, call);
        }
    }

    private IOException failure(Fault fault, Call call) {
        return new IOException(fault + " planned for operation " + history.size() + ": " + call);
    }

    /// Greatest possible length of the file, at most `wanted`.
    private long roomFor(SimContent content, long wanted) {
        long growth = wanted - content.size();
        if (growth <= 0) {
            return wanted;
        }
        if (isFull(false)) {
            return content.size();
        }
        long most = Math.max(content.size(), fileBytesMax);
        return Math.min(
                most, content.size() + Math.min(growth, Math.max(0, spaceBytesMax - usedBytes())));
    }

    @Override
    public long freeBytes() {
        synchronized (lock) {
            checkAlive("freeBytes");
            if (isFull(false)) {
                return 0;
            }
            return Math.max(0, spaceBytesMax - usedBytes());
        }
    }

    /// Whether a planned fault has filled the disk; with `toOverwrite`, so that even overwriting fails.
    private boolean isFull(boolean toOverwrite) {
        for (Planned plan : faults) {
            boolean counts =
                    toOverwrite
                            ? plan.fault == Fault.NO_ROOM_TO_OVERWRITE
                            : plan.fault.isFullDisk();
            if (counts && history.size() >= plan.operation) {
                return true;
            }
        }
        return false;
    }

    private SimContent existing(String name) throws NoSuchFileException {
        SimContent content = files.get(name);
        if (content == null) {
            throw new NoSuchFileException(name);
        }
        return content;
    }

    private SimContent create(String name) {
        rememberName(name);
        SimContent content = new SimContent(sectorBytes);
        files.put(name, content);
        return content;
    }

    private void remove(String name) {
        rememberName(name);
        files.remove(name);
    }

    private void rememberName(String name) {
        if (windows) {
            journal.add(new NameChange(name, Optional.ofNullable(files.get(name))));
            return;
        }
        unsyncedNames
                .computeIfAbsent(name, absent -> new ArrayList<>(1))
                .add(Optional.ofNullable(files.get(name)));
    }

    private void maybeCreate(String name, Chooser chooser) {
        if (chooser.choose(2) == 1) {
            create(name);
        }
    }

    private void maybeRemove(String name, Chooser chooser) {
        if (chooser.choose(2) == 1) {
            remove(name);
        }
    }

    /// A dying process has written some of the bytes, from the first on. If the machine dies, they are all
    /// unsynced, so their number does not matter.
    private @Nullable InFlight writeInFlight(
            String name, SimContent content, long position, MemorySegment from) {
        boolean mayCrash = step != null || history.size() + 1 >= crashAt;
        if (!mayCrash || files.get(name) != content) {
            return null;
        }
        byte[] bytes = from.toArray(ValueLayout.JAVA_BYTE);
        return (copy, chooser, profile) -> {
            int written =
                    profile == CrashProfile.PROCESS_KILL
                            ? chooser.choose(bytes.length + 1)
                            : bytes.length;
            SimContent copied = copy.files.get(name);
            if (copied != null) {
                copied.write(position, MemorySegment.ofArray(bytes).asSlice(0, written));
            }
        };
    }

    private @Nullable InFlight resizeInFlight(String name, SimContent content, long size) {
        if (files.get(name) != content) {
            return null;
        }
        long before = content.size();
        return (copy, chooser, profile) -> {
            long[] sizes = {before, before + Math.max(0, (size - before) / 2), size};
            SimContent copied = copy.files.get(name);
            if (copied != null) {
                copied.resize(sizes[chooser.choose(sizes.length)]);
            }
        };
    }

    private void lose(Chooser chooser, boolean garbage) {
        unsyncedNames.forEach((name, past) -> {
            int choice = chooser.choose(past.size() + 1);
            if (choice < past.size()) {
                past.get(choice)
                        .ifPresentOrElse(
                                content -> files.put(name, content), () -> files.remove(name));
            }
        });
        unsyncedNames.clear();
        for (int lost = chooser.choose(journal.size() + 1); lost > 0; lost--) {
            NameChange change = journal.removeLast();
            change.before.ifPresentOrElse(
                    content -> files.put(change.name, content), () -> files.remove(change.name));
        }
        journal.clear();
        files.values().forEach(content -> content.lose(chooser, garbage));
    }
}
