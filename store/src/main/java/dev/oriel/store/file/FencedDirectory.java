package dev.oriel.store.file;

import dev.oriel.io.Directory;
import dev.oriel.io.FolderLock;
import dev.oriel.io.StorageFile;
import dev.oriel.store.StorageException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The folder of a store, checked for another owner on each write: see [Fence].
public record FencedDirectory(Directory directory, Fence fence) implements Directory {
    @Override
    public List<String> list() throws IOException {
        return directory.list();
    }

    @Override
    public StorageFile open(String name) throws IOException {
        fence.check();
        return new FencedFile(directory.open(name), fence);
    }

    @Override
    public StorageFile openReadOnly(String name) throws IOException {
        return directory.openReadOnly(name);
    }

    /// Leaves the file if it belongs to another owner by now.
    @Override
    public void delete(String name) throws IOException {
        if (fence.holds()) {
            directory.delete(name);
        }
    }

    @Override
    public long freeBytes() throws IOException {
        return directory.freeBytes();
    }

    @Override
    public void sync() throws IOException {
        directory.sync();
        fence.check();
    }

    @Override
    public FolderLock lock() throws IOException {
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

    /// A file of the folder.
    private record FencedFile(StorageFile file, Fence fence) implements StorageFile {
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
            fence.check();
            file.write(position, from);
            fence.check();
        }

        @Override
        public void resize(long size) throws IOException {
            fence.check();
            file.resize(size);
            fence.check();
        }

        @Override
        public void sync() throws IOException {
            file.sync();
            fence.check();
        }

        @Override
        public void writeDurably(long position, MemorySegment from) throws IOException {
            fence.check();
            file.writeDurably(position, from);
            fence.check();
        }

        @Override
        public MemorySegment map(long position, long length) throws IOException {
            return file.map(position, length);
        }

        @Override
        public boolean isHeldByMaps() {
            return file.isHeldByMaps();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }

        @Override
        public String toString() {
            return file.toString();
        }
    }

    /// Ends the lock of a folder.
    public static void release(AutoCloseable lock) {
        try {
            lock.close();
        } catch (Exception e) {
            throw new StorageException("The lock of the database cannot be released", "", e);
        }
    }
}
