package dev.oriel.testkit;

import java.io.EOFException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// The bytes of one simulated file, and their possible states after a crash. Not thread-safe: its [SimDirectory]
/// locks.
///
/// The bytes lie in native memory. A file that outgrows its memory moves to a larger one. Earlier maps stay as
/// mirrors that every later write reaches too, so that a map never goes stale.
///
/// For each sector (of 512 bytes, usually) written since the last sync, `unsynced` holds its earlier contents,
/// oldest first. The first is certainly on the disk; the operating system may have written back the later ones in
/// between. The same holds for the sizes of the file. Memory past the end is poisoned when the file shrinks, so
/// that reading a map there shows.
final class SimContent {
    /// Default size of a sector in bytes.
    static final int SECTOR = 512;

    private static final int VERSIONS_MAX = 8;
    private static final int CAPACITY_MIN = 16 << 10;
    private static final int PAGE = 4096;
    private static final byte POISON = (byte) 0xDB;
    private static final byte[] ZEROS = new byte[SECTOR];

    /// Earlier contents of a sector. `clean` after a failed sync: no later sync covers it until it is written
    /// again.
    private static final class Unsynced {
        final List<byte[]> earlier = new ArrayList<>(1);
        boolean clean;

        void add(byte[] version) {
            clean = false;
            if (!earlier.isEmpty() && Arrays.equals(earlier.getLast(), version)) {
                return;
            }
            if (earlier.size() == VERSIONS_MAX) {
                earlier.remove(VERSIONS_MAX / 2);
            }
            earlier.add(version);
        }

        Unsynced copy() {
            Unsynced copy = new Unsynced();
            copy.earlier.addAll(earlier);
            copy.clean = clean;
            return copy;
        }
    }

    private final int sectorBytes;
    private final byte[] zeros;
    private MemorySegment memory = MemorySegment.NULL;
    private boolean memoryMapped;
    private final List<MemorySegment> mirrors = new ArrayList<>(0);
    private long size;

    private final TreeMap<Long, Unsynced> unsynced = new TreeMap<>();
    private final List<Long> earlierSizes = new ArrayList<>(1);
    private boolean sizeClean;

    SimContent(int sectorBytes) {
        this.sectorBytes = sectorBytes;
        this.zeros = sectorBytes == SECTOR ? ZEROS : new byte[sectorBytes];
    }

    long size() {
        return size;
    }

    void read(long position, MemorySegment into) throws EOFException {
        long length = into.byteSize();
        if (position + length > size) {
            throw new EOFException(
                    length + " bytes at " + position + " wanted of a file of " + size);
        }
        MemorySegment.copy(memory, position, into, 0, length);
    }

    /// Whether some map of it was made.
    boolean isMapped() {
        return memoryMapped;
    }

    MemorySegment map(long position, long length) throws EOFException {
        if (position + length > size) {
            throw new EOFException("map of " + length + " bytes at " + position + " of " + size);
        }
        memoryMapped = true;
        return memory.asSlice(position, length).asReadOnly();
    }

    void write(long position, MemorySegment from) {
        long length = from.byteSize();
        if (length == 0) {
            return;
        }
        if (position > size) {
            grow(position);
        }
        remember(position, position + length);
        if (position + length > size) {
            rememberSize();
            reserve(position + length);
            size = position + length;
        }
        store(position, from);
    }

    void resize(long newSize) {
        if (newSize > size) {
            grow(newSize);
        } else if (newSize < size) {
            remember(newSize, size);
            rememberSize();
            fill(newSize, size, POISON);
            size = newSize;
        }
    }

    void sync() {
        unsynced.values().removeIf(sector -> !sector.clean);
        if (!sizeClean) {
            earlierSizes.clear();
        }
    }

    /// Applies a failed sync: nothing became durable, and later syncs do not cover it.
    void failSync() {
        unsynced.values().forEach(sector -> sector.clean = true);
        sizeClean = !earlierSizes.isEmpty();
    }

    /// A copy of the bytes in other memory, with the same past.
    SimContent copy() {
        SimContent copy = new SimContent(sectorBytes);
        copy.reserve(size);
        copy.size = size;
        MemorySegment.copy(memory, 0, copy.memory, 0, size);
        unsynced.forEach((sector, past) -> copy.unsynced.put(sector, past.copy()));
        copy.earlierSizes.addAll(earlierSizes);
        copy.sizeClean = sizeClean;
        return copy;
    }

    /// Turns this into one of the possible contents after the death of the machine.
    void lose(Chooser chooser, boolean garbage) {
        int choice = chooser.choose(earlierSizes.size() + 1);
        long sizeAfter = choice < earlierSizes.size() ? earlierSizes.get(choice) : size;
        TreeMap<Long, byte[]> survivors = new TreeMap<>();
        unsynced.forEach((sector, past) -> {
            if (sector * sectorBytes < sizeAfter) {
                survivors.put(sector, survivor(sector, past, chooser, garbage));
            }
        });
        long sizeBefore = size;
        reserve(sizeAfter);
        size = sizeAfter;
        if (sizeAfter > sizeBefore) {
            fill(sizeBefore, sizeAfter, (byte) 0);
        }
        survivors.forEach((sector, bytes) -> {
            int length = (int) Math.min(sectorBytes, sizeAfter - sector * sectorBytes);
            store(sector * sectorBytes, MemorySegment.ofArray(bytes).asSlice(0, length));
        });
        makeDurable();
    }

    /// Makes the present content durable.
    void makeDurable() {
        unsynced.clear();
        earlierSizes.clear();
        sizeClean = false;
    }

    /// Makes the present bytes from `from` to `to` durable, whole sectors.
    void makeDurable(long from, long to) {
        unsynced.subMap(from / sectorBytes, to / sectorBytes).clear();
    }

    /// Flips a bit unnoticed by the engine: on the disk and in every map.
    void flipBit(long bit) {
        long position = Objects.checkIndex(bit / 8, size);
        int flipped = memory.get(ValueLayout.JAVA_BYTE, position) ^ (1 << (bit % 8));
        store(position, MemorySegment.ofArray(new byte[] {(byte) flipped}));
    }

    byte[] bytes() {
        return memory.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
    }

    /// One of the contents a sector may have after the crash: the earlier ones, garbage if wanted,
    /// the present one.
    private byte[] survivor(long sector, Unsynced past, Chooser chooser, boolean garbage) {
        int earlier = past.earlier.size();
        // A sector cut off by a shrinking whose new size is lost still has its data, not zeros.
        int present = sector * sectorBytes < size ? 1 : 0;
        int choice = chooser.choose(earlier + (garbage ? 2 : 0) + present);
        if (choice < earlier) {
            return past.earlier.get(choice);
        }
        if (!garbage || choice == earlier + 2) {
            return present(sector);
        }
        SplittableRandom random = new SplittableRandom(sector * 31 + earlier);
        byte[] content = present(sector);
        if (choice == earlier) {
            random.nextBytes(content);
        } else {
            int cut = random.nextInt(1, sectorBytes);
            System.arraycopy(past.earlier.getFirst(), cut, content, cut, sectorBytes - cut);
        }
        return content;
    }

    /// Grows the file step by step: the system may have written a part of it.
    private void grow(long newSize) {
        remember(size, newSize);
        rememberSize();
        long part = size + (newSize - size) / 2 / sectorBytes * sectorBytes;
        if (part > size) {
            rememberSize(part);
        }
        reserve(newSize);
        fill(size, newSize, (byte) 0);
        size = newSize;
    }

    private void remember(long from, long to) {
        for (long sector = from / sectorBytes; sector * sectorBytes < to; sector++) {
            unsynced.computeIfAbsent(sector, absent -> new Unsynced())
                    .add(sector * sectorBytes < size ? present(sector) : zeros);
        }
    }

    private void rememberSize() {
        rememberSize(size);
    }

    private void rememberSize(long earlier) {
        sizeClean = false;
        if (earlierSizes.size() == VERSIONS_MAX) {
            earlierSizes.remove(VERSIONS_MAX / 2);
        }
        earlierSizes.add(earlier);
    }

    /// The content of a sector, filled with zeros past the end.
    private byte[] present(long sector) {
        long start = sector * sectorBytes;
        byte[] content = new byte[sectorBytes];
        if (start >= size) {
            return content;
        }
        int length = (int) Math.min(sectorBytes, size - start);
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, start, content, 0, length);
        return content;
    }

    private void reserve(long capacity) {
        if (capacity <= memory.byteSize()) {
            return;
        }
        long roundedUp = Long.highestOneBit(Math.max(capacity, CAPACITY_MIN) * 2 - 1);
        MemorySegment larger = Arena.ofAuto().allocate(roundedUp, PAGE);
        MemorySegment.copy(memory, 0, larger, 0, size);
        if (memoryMapped) {
            mirrors.add(memory);
        }
        memory = larger;
        memoryMapped = false;
    }

    private void store(long position, MemorySegment from) {
        MemorySegment.copy(from, 0, memory, position, from.byteSize());
        for (MemorySegment mirror : mirrors) {
            long length = Math.min(from.byteSize(), mirror.byteSize() - position);
            if (length > 0) {
                MemorySegment.copy(from, 0, mirror, position, length);
            }
        }
    }

    private void fill(long from, long to, byte value) {
        memory.asSlice(from, to - from).fill(value);
        for (MemorySegment mirror : mirrors) {
            long end = Math.min(to, mirror.byteSize());
            if (end > from) {
                mirror.asSlice(from, end - from).fill(value);
            }
        }
    }
}
