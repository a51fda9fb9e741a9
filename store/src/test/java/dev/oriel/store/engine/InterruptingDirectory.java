package dev.oriel.store.engine;

import dev.oriel.io.Directory;
import dev.oriel.io.FolderLock;
import dev.oriel.io.LockedException;
import dev.oriel.io.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A folder of the file system that runs an action in the calling thread before and after every call.
final class InterruptingDirectory implements Directory {
    private final Directory folder;
    private final Runnable strike;

    InterruptingDirectory(Directory folder, Runnable strike) {
        this.folder = folder;
        this.strike = strike;
    }

    private interface Call<T> {
        T call() throws IOException;
    }

    private interface Action {
        void run() throws IOException;
    }

    private <T> T struck(Call<T> call) throws IOException {
        strike.run();
        try {
            return call.call();
        } finally {
            strike.run();
        }
    }

    private void struck(Action action) throws IOException {
        strike.run();
        try {
            action.run();
        } finally {
            strike.run();
        }
    }

    @Override
    public List<String> list() throws IOException {
        return struck(folder::list);
    }

    @Override
    public StorageFile open(String name) throws IOException {
        return new File(struck(() -> folder.open(name)));
    }

    @Override
    public StorageFile openReadOnly(String name) throws IOException {
        return new File(struck(() -> folder.openReadOnly(name)));
    }

    @Override
    public void delete(String name) throws IOException {
        struck(() -> folder.delete(name));
    }

    @Override
    public long freeBytes() throws IOException {
        return struck(folder::freeBytes);
    }

    @Override
    public void sync() throws IOException {
        struck(folder::sync);
    }

    @Override
    public FolderLock lock() throws IOException {
        strike.run();
        try {
            return folder.lock();
        } catch (LockedException e) {
            throw new AssertionError("the lock of the session before is held", e);
        }
    }

    @Override
    public String toString() {
        return folder.toString();
    }

    private final class File implements StorageFile {
        private final StorageFile file;

        File(StorageFile file) {
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return struck(file::size);
        }

        @Override
        public void read(long position, MemorySegment into) throws IOException {
            struck(() -> file.read(position, into));
        }

        @Override
        public void write(long position, MemorySegment from) throws IOException {
            struck(() -> file.write(position, from));
        }

        @Override
        public void resize(long size) throws IOException {
            struck(() -> file.resize(size));
        }

        @Override
        public void sync() throws IOException {
            struck(file::sync);
        }

        @Override
        public void writeDurably(long position, MemorySegment from) throws IOException {
            struck(() -> file.writeDurably(position, from));
        }

        @Override
        public MemorySegment map(long position, long length) throws IOException {
            return struck(() -> file.map(position, length));
        }

        @Override
        public void close() throws IOException {
            struck(file::close);
        }
    }
}
