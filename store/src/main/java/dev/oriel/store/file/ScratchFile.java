package dev.oriel.store.file;

import dev.oriel.io.StorageFile;
import dev.oriel.store.StorageException;
import dev.oriel.store.TemporaryFile;
import dev.oriel.store.page.Page;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A [TemporaryFile] in the folder of the database; also takes whole pages.
public final class ScratchFile implements TemporaryFile, PageRun.Target {
    private final TemporaryFiles files;
    final String name;
    private final StorageFile file;
    private long bytes;

    ScratchFile(TemporaryFiles files, String name, StorageFile file) {
        this.files = files;
        this.name = name;
        this.file = file;
    }

    /// Appends pages; `first` counts from the beginning of the file.
    ///
    /// @throws dev.oriel.store.LimitException if there is no room for them
    @Override
    public void write(long first, MemorySegment run) {
        writeBytes(first << Page.SHIFT, run);
    }

    @Override
    public void writeBytes(long position, MemorySegment from) {
        try {
            file.write(position, from);
        } catch (IOException e) {
            throw TemporaryFiles.noRoom(e);
        }
        bytes = Math.max(bytes, position + from.byteSize());
    }

    /// Does nothing: a temporary file need not survive a crash.
    @Override
    public void sync() {}

    /// Whether it cannot be deleted while a map of it is referenced.
    boolean isHeldByMaps() {
        return file.isHeldByMaps();
    }

    /// Length in bytes, gaps included.
    long bytes() {
        return bytes;
    }

    @Override
    public MemorySegment map() {
        try {
            MemorySegment map = file.map(0, bytes);
            file.close();
            return map;
        } catch (IOException e) {
            throw TemporaryFiles.noRoom(e);
        }
    }

    @Override
    public void read(long position, MemorySegment into) {
        try {
            file.read(position, into);
        } catch (IOException e) {
            throw new StorageException(
                    "The temporary file of a transaction cannot be read; roll it back", "", e);
        }
    }

    @Override
    public void delete() {
        files.delete(this);
    }

    void close() throws IOException {
        file.close();
    }
}
