package dev.oriel.testkit;

import dev.oriel.io.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;

/// An open file of a [SimDirectory]. All state is the directory's; its lock guards this too.
final class SimFile implements StorageFile {
    private final SimDirectory directory;
    private final String name;
    private final SimContent content;
    private final boolean readOnly;
    private volatile boolean closed;

    SimFile(SimDirectory directory, String name, SimContent content, boolean readOnly) {
        this.directory = directory;
        this.name = name;
        this.content = content;
        this.readOnly = readOnly;
    }

    @Override
    public long size() throws IOException {
        checkOpen();
        return directory.size(content);
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
        checkOpen();
        directory.read(content, notNegative(position), into);
    }

    @Override
    public void write(long position, MemorySegment from) throws IOException {
        checkWritable();
        directory.write(name, content, notNegative(position), from);
    }

    @Override
    public void resize(long size) throws IOException {
        checkWritable();
        directory.resize(name, content, notNegative(size));
    }

    @Override
    public void sync() throws IOException {
        checkWritable();
        directory.sync(name, content);
    }

    @Override
    public void writeDurably(long position, MemorySegment from) throws IOException {
        checkWritable();
        long blocks = notNegative(position) | from.byteSize() | from.address();
        if (!from.isNative() || blocks % DURABLE_BLOCK_BYTES != 0) {
            throw new IOException("not aligned: " + from.byteSize() + " bytes at " + position);
        }
        directory.writeDurably(name, content, position, from);
    }

    @Override
    public MemorySegment map(long position, long length) throws IOException {
        checkOpen();
        return directory.map(content, notNegative(position), notNegative(length));
    }

    @Override
    public boolean isHeldByMaps() {
        return directory.isWindows();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            directory.closed(content);
        }
    }

    @Override
    public String toString() {
        return name;
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    private void checkWritable() throws IOException {
        checkOpen();
        if (readOnly) {
            throw new IOException(name + " is open for reading only");
        }
    }

    private static long notNegative(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("negative: " + value);
        }
        return value;
    }
}
