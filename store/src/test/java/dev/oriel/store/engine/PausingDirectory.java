package dev.oriel.store.engine;

import dev.oriel.io.Directory;
import dev.oriel.io.FolderLock;
import dev.oriel.io.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A folder of the file system that counts changing calls by phase and step. At the [KillPoint] the calling
/// thread reports it on the standard output, and stops for ever.
final class PausingDirectory implements Directory {
    private final Directory folder;
    private final Calls calls;

    PausingDirectory(Directory folder, Calls calls) {
        this.folder = folder;
        this.calls = calls;
    }

    /// Counters of calls, for all folders of a process. Safe for use by any number of threads.
    static final class Calls {
        private final KillPoint point;
        private final Map<String, Integer> counts = new TreeMap<>();
        private int reached;

        Calls(KillPoint point) {
            this.point = point;
        }

        /// Prints a line for each step of `phase` counted since the last call of this method, and resets the
        /// counters.
        synchronized void report(KillPhase phase) throws IOException {
            reached = phase == point.phase() ? 0 : reached;
            String prefix = phase + " ";
            for (Map.Entry<String, Integer> count : Map.copyOf(counts).entrySet()) {
                if (count.getKey().startsWith(prefix)) {
                    KillTarget.say("calls " + count.getValue() + " " + count.getKey());
                    counts.remove(count.getKey());
                }
            }
        }

        /// Counts a call. Returns the way in which the process ends in it; null if it does not.
        private synchronized KillPoint.@Nullable Way enter(String step) {
            KillPhase phase = KillPhase.current();
            counts.merge(phase + " " + step, 1, Integer::sum);
            boolean meant =
                    phase == point.phase()
                            && (point.step().equals("*") || point.step().equals(step))
                            && ++reached == point.occurrence();
            return meant ? point.way() : null;
        }
    }

    private interface Action {
        void run() throws IOException;
    }

    private void call(String operation, String name, Action action, Action half)
            throws IOException {
        String step = operation + " " + kind(name);
        KillPoint.Way way = calls.enter(step);
        if (way == null) {
            action.run();
            return;
        }
        switch (way) {
            case BEFORE -> {}
            case HALF -> half.run();
            case AFTER -> action.run();
        }
        KillTarget.say("at " + KillPhase.current() + " " + step);
        while (true) {
            LockSupport.park();
        }
    }

    /// Returns the name without its number.
    private static String kind(String name) {
        return name.replaceAll("[0-9].*", "");
    }

    @Override
    public List<String> list() throws IOException {
        return folder.list();
    }

    @Override
    public StorageFile open(String name) throws IOException {
        StorageFile[] opened = new StorageFile[1];
        call("open", name, () -> opened[0] = folder.open(name), () -> {});
        return new File(name, opened[0]);
    }

    @Override
    public StorageFile openReadOnly(String name) throws IOException {
        return folder.openReadOnly(name);
    }

    @Override
    public void delete(String name) throws IOException {
        call("delete", name, () -> folder.delete(name), () -> {});
    }

    @Override
    public long freeBytes() throws IOException {
        return folder.freeBytes();
    }

    @Override
    public void sync() throws IOException {
        call("sync", "folder", folder::sync, () -> {});
    }

    @Override
    public FolderLock lock() throws IOException {
        FolderLock[] lock = new FolderLock[1];
        call("lock", "folder", () -> lock[0] = folder.lock(), () -> {});
        return () -> {
            call("unlock", "folder", () -> {}, () -> {});
            lock[0].close();
        };
    }

    @Override
    public FolderLock lockToRead() throws IOException {
        return folder.lockToRead();
    }

    @Override
    public String toString() {
        return folder.toString();
    }

    private final class File implements StorageFile {
        private final String name;
        private final StorageFile file;

        File(String name, StorageFile file) {
            this.name = name;
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void read(long position, MemorySegment into) throws IOException {
            file.read(position, into);
        }

        @Override
        public void write(long position, MemorySegment from) throws IOException {
            call(
                    "write",
                    name,
                    () -> file.write(position, from),
                    () -> file.write(position, from.asSlice(0, part(from))));
        }

        @Override
        public void writeDurably(long position, MemorySegment from) throws IOException {
            call(
                    "writeDurably",
                    name,
                    () -> file.writeDurably(position, from),
                    () -> file.write(position, from.asSlice(0, part(from))));
        }

        /// Returns a number of bytes, derived from the bytes to write.
        private long part(MemorySegment from) {
            return Math.floorMod(
                    from.get(ValueLayout.JAVA_BYTE, 0) * 31L + 7L * name.length(), from.byteSize());
        }

        @Override
        public void resize(long size) throws IOException {
            call(
                    "resize",
                    name,
                    () -> file.resize(size),
                    () -> file.resize((file.size() + size) / 2));
        }

        @Override
        public void sync() throws IOException {
            call("sync", name, file::sync, () -> {});
        }

        @Override
        public MemorySegment map(long position, long length) throws IOException {
            return file.map(position, length);
        }

        @Override
        public void close() throws IOException {
            call("close", name, file::close, () -> {});
        }
    }
}
