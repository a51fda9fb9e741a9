package dev.oriel.store.model;

import dev.oriel.io.Directory;
import dev.oriel.io.FolderLock;
import dev.oriel.io.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A folder that runs a step of the test before each call on its files. The step acts concurrently with the
/// store, or makes the call fail.
public final class StepDirectory implements Directory {
    /// Runs before the call `verb` (write, resize, sync, map, lock) on the file `name`.
    @FunctionalInterface
    public interface Step {
        void before(String verb, String name) throws IOException;
    }

    private final Directory directory;
    private Step step = (verb, name) -> {};
    private Step reading = (verb, name) -> {};
    private Step closing = (verb, name) -> {};
    private final AtomicInteger openFiles = new AtomicInteger();
    private long mapBytesMax = Long.MAX_VALUE;

    public StepDirectory(Directory directory) {
        this.directory = directory;
    }

    public void onStep(Step next) {
        step = next;
    }

    /// Sets the step before each positional read, with the verb read.
    public void onRead(Step next) {
        reading = next;
    }

    /// Sets the step after each close of a file, with the verb close.
    public void onClose(Step next) {
        closing = next;
    }

    /// Limits maps to `bytesMax` bytes, whatever their requested size.
    public void shortMaps(long bytesMax) {
        mapBytesMax = bytesMax;
    }

    /// Number of files opened and not closed.
    public int openFiles() {
        return openFiles.get();
    }

    @Override
    public List<String> list() throws IOException {
        return directory.list();
    }

    @Override
    public StorageFile open(String name) throws IOException {
        return new StepFile(name, directory.open(name));
    }

    @Override
    public StorageFile openReadOnly(String name) throws IOException {
        return new StepFile(name, directory.openReadOnly(name));
    }

    @Override
    public void delete(String name) throws IOException {
        directory.delete(name);
    }

    @Override
    public long freeBytes() throws IOException {
        return directory.freeBytes();
    }

    @Override
    public void sync() throws IOException {
        directory.sync();
    }

    @Override
    public FolderLock lock() throws IOException {
        step.before("lock", "lock");
        return directory.lock();
    }

    @Override
    public FolderLock lockToRead() throws IOException {
        return directory.lockToRead();
    }

    @Override
    public String toString() {
        return directory.toString();
    }

    private final class StepFile implements StorageFile {
        private final String name;
        private final StorageFile file;
        private boolean closed;

        StepFile(String name, StorageFile file) {
            this.name = name;
            this.file = file;
            openFiles.incrementAndGet();
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void read(long position, MemorySegment into) throws IOException {
            reading.before("read", name);
            file.read(position, into);
        }

        @Override
        public void write(long position, MemorySegment from) throws IOException {
            step.before("write", name);
            file.write(position, from);
        }

        @Override
        public void resize(long size) throws IOException {
            step.before("resize", name);
            file.resize(size);
        }

        @Override
        public void sync() throws IOException {
            step.before("sync", name);
            file.sync();
        }

        @Override
        public void writeDurably(long position, MemorySegment from) throws IOException {
            step.before("write durably", name);
            file.writeDurably(position, from);
        }

        @Override
        public MemorySegment map(long position, long length) throws IOException {
            step.before("map", name);
            return file.map(position, Math.min(length, mapBytesMax));
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                openFiles.decrementAndGet();
            }
            file.close();
            closing.before("close", name);
        }
    }
}
