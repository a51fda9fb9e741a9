package dev.oriel.store.engine;

import dev.oriel.store.data.DataFile;
import dev.oriel.store.data.DoubleWriteBuffer;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.log.LogRecord;
import dev.oriel.store.log.LogSegment;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import dev.oriel.testkit.SimDirectory;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Changes files of a closed or killed store like an attacker with knowledge of the format, always with a right
/// checksum. It changes bytes of pages, file headers, the directory of the shadow, log headers and log records.
final class CraftedFiles {
    private static final long[] NUMBERS = {
        0,
        1,
        2,
        3,
        4,
        7,
        8,
        255,
        256,
        0x7FFF,
        0x8000,
        0xFFFF,
        1 << 20,
        Integer.MAX_VALUE,
        1L << 32,
        1L << 50,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        -1,
        -2
    };
    private static final int[] NODE_FIELDS = {4, 6, 8, 16, 18, 20, 22, 24, 26, 32};
    private static final int[] HEADER_FIELDS = {32, 40, 48, 56, 64, 72, 80, 84, 88};
    private static final int[] RECORD_FIELDS = {24, 32, 40, 44, 48, 56, 64, 72, 76, 78};
    private static final int[] SEGMENT_FIELDS = {32, 40, 48, 56, 64};

    private final SplittableRandom random;

    CraftedFiles(SplittableRandom random) {
        this.random = random;
    }

    /// Changes one place of one file and says which.
    String craft(SimDirectory files) throws NoSuchFileException {
        int kind = random.nextInt(20);
        if (kind < 14) {
            return craftPage(files);
        }
        if (kind < 15) {
            return craftHeader(files);
        }
        if (kind < 17) {
            return craftShadow(files);
        }
        return kind < 18 ? craftSegment(files) : craftRecord(files);
    }

    private String craftPage(SimDirectory files) throws NoSuchFileException {
        byte[] data = files.bytes(DataFile.NAME);
        int pages = data.length >>> Page.SHIFT;
        int page = 2 + random.nextInt(pages - 2);
        for (int i = 0; i < pages && data[(page << Page.SHIFT) + Page.KIND] == 0; i++) {
            page = 2 + (page - 1) % (pages - 2);
        }
        String change = changePage(data, page << Page.SHIFT, pages);
        seal(data, page << Page.SHIFT, 0, 4, Page.BYTES);
        files.put(DataFile.NAME, data);
        return "page " + page + ": " + change;
    }

    /// Changes a page of any kind, at a byte that counts.
    private String changePage(byte[] bytes, int at, int pages) {
        int count = Short.toUnsignedInt(buffer(bytes).getShort(at + Page.COUNT));
        boolean node = bytes[at + Page.KIND] == Page.LEAF || bytes[at + Page.KIND] == Page.BRANCH;
        int choice = random.nextInt(10);
        if (choice == 0) {
            return noise(bytes, at + 4, Page.BYTES - 4);
        }
        if (choice == 1) {
            int from = random.nextInt(pages) << Page.SHIFT;
            System.arraycopy(bytes, from, bytes, at, Page.BYTES);
            buffer(bytes).putLong(at + Page.NUMBER, at >>> Page.SHIFT);
            return "the content of page " + (from >>> Page.SHIFT);
        }
        if (!node || count == 0 || choice < 4) {
            int field = NODE_FIELDS[random.nextInt(NODE_FIELDS.length)];
            return change(bytes, at + field, field == 32 ? 8 : 2, at, pages);
        }
        int slot = at + Page.HEADER_BYTES + random.nextInt(count) * Node.SLOT_BYTES;
        if (choice < 6) {
            return change(bytes, slot + 2 * random.nextInt(4), 2, at, pages);
        }
        int cell = at + Short.toUnsignedInt(buffer(bytes).getShort(slot));
        if (choice < 8 || bytes[at + Page.KIND] == Page.BRANCH) {
            return change(bytes, cell, bytes[at + Page.KIND] == Page.BRANCH ? 8 : 2, at, pages);
        }
        int suffix = Short.toUnsignedInt(buffer(bytes).getShort(slot + 2));
        int value = cell + 2 + suffix + (choice == 8 ? 0 : 4);
        return change(bytes, value, choice == 8 ? 4 : 8, at, pages);
    }

    private String craftHeader(SimDirectory files) throws NoSuchFileException {
        byte[] data = files.bytes(DataFile.NAME);
        StringBuilder changes = new StringBuilder("headers:");
        int field = HEADER_FIELDS[random.nextInt(HEADER_FIELDS.length)];
        boolean both = random.nextBoolean();
        for (int page = both ? 0 : random.nextInt(2); page < 2; page++) {
            int bytes = field >= 80 ? 4 : 8;
            changes.append(' ').append(change(data, page * Page.BYTES + field, bytes, 0, 40));
            seal(data, page * Page.BYTES, 0, 4, Page.BYTES);
        }
        files.put(DataFile.NAME, data);
        return changes.toString();
    }

    /// Changes a page in the shadow, and its checksum in the directory too, or the directory itself.
    private String craftShadow(SimDirectory files) throws NoSuchFileException {
        if (!files.list().contains(DoubleWriteBuffer.NAME)
                || files.bytes(DoubleWriteBuffer.NAME).length == 0) {
            return craftPage(files);
        }
        byte[] doubleWrite = files.bytes(DoubleWriteBuffer.NAME);
        int slots = doubleWrite.length >>> Page.SHIFT;
        int slot = random.nextInt(slots);
        int at = slot << Page.SHIFT;
        String change;
        if (doubleWrite[at + Page.KIND] == DoubleWriteBuffer.KIND) {
            int[] fields = {6, 8, 32, 40, 48, 56, 64, 68, 72, 80, 84};
            int field = fields[random.nextInt(fields.length)];
            change = "directory: " + change(doubleWrite, at + field, field == 6 ? 2 : 4, 0, slots);
        } else {
            change = changePage(doubleWrite, at, slots);
        }
        seal(doubleWrite, at, 0, 4, Page.BYTES);
        for (int other = 0; other < slots; other++) {
            tellDirectory(doubleWrite, other << Page.SHIFT, slot);
        }
        files.put(DoubleWriteBuffer.NAME, doubleWrite);
        return "slot " + slot + ": " + change;
    }

    private static void tellDirectory(byte[] doubleWrite, int at, int slot) {
        ByteBuffer bytes = buffer(doubleWrite);
        if (doubleWrite[at + Page.KIND] != DoubleWriteBuffer.KIND) {
            return;
        }
        int count =
                Math.min(
                        DoubleWriteBuffer.ENTRIES_MAX, Short.toUnsignedInt(bytes.getShort(at + 6)));
        for (int entry = at + 56; entry < at + 56 + count * 16; entry += 16) {
            if (bytes.getInt(entry + 8) == slot) {
                bytes.putInt(entry + 12, bytes.getInt(slot << Page.SHIFT));
            }
        }
        seal(doubleWrite, at, 0, 4, Page.BYTES);
    }

    private String craftSegment(SimDirectory files) throws NoSuchFileException {
        List<String> logs = LogFiles.names(files.list());
        if (logs.isEmpty()) {
            return craftPage(files);
        }
        String name = logs.get(random.nextInt(logs.size()));
        byte[] log = files.bytes(name);
        int field = SEGMENT_FIELDS[random.nextInt(SEGMENT_FIELDS.length)];
        String change = change(log, field, field == 64 ? 4 : 8, 0, 40);
        seal(log, 0, 12, 16, LogSegment.HEADER_BYTES);
        files.put(name, log);
        return name + ": " + change;
    }

    private String craftRecord(SimDirectory files) throws NoSuchFileException {
        for (String name : LogFiles.names(files.list())) {
            byte[] log = files.bytes(name);
            List<Integer> records = records(log);
            if (!records.isEmpty()) {
                int at = records.get(random.nextInt(records.size()));
                int length = (int) buffer(log).getLong(at + LogRecord.AT_LENGTH);
                String change;
                if (random.nextInt(3) == 0) {
                    change = noise(log, at + LogRecord.HEADER_BYTES, length - 64);
                } else {
                    int field = RECORD_FIELDS[random.nextInt(RECORD_FIELDS.length)];
                    change = change(log, at + field, field < 72 ? 8 : 2, 0, 40);
                }
                long claimed = buffer(log).getLong(at + LogRecord.AT_LENGTH);
                seal(log, at, 4, 8, claimed == length ? length : LogRecord.HEADER_BYTES);
                files.put(name, log);
                return "record at " + at + " of " + name + ": " + change;
            }
        }
        return craftPage(files);
    }

    private static List<Integer> records(byte[] log) {
        List<Integer> found = new ArrayList<>();
        ByteBuffer bytes = buffer(log);
        int at = LogSegment.HEADER_BYTES;
        while (at + LogRecord.HEADER_BYTES <= log.length) {
            long length = bytes.getLong(at + LogRecord.AT_LENGTH);
            boolean record = bytes.getInt(at) == LogRecord.MAGIC && length <= log.length - at;
            if (record && length >= LogRecord.HEADER_BYTES) {
                found.add(at);
                at += LogRecord.align((int) length);
            } else {
                at = (int) LogRecord.nextSector(at + 1);
            }
        }
        return found;
    }

    private String noise(byte[] bytes, int at, int length) {
        int count = 1 + random.nextInt(4);
        StringBuilder said = new StringBuilder("noise");
        for (int i = 0; i < count && length > 0; i++) {
            int place = at + random.nextInt(random.nextBoolean() ? length : Math.min(length, 200));
            bytes[place] = (byte) random.nextInt();
            said.append(' ').append(place).append('=').append(bytes[place]);
        }
        return said.toString();
    }

    /// Puts another number of `length` bytes at `at`, which may reach beyond the page then.
    private String change(byte[] bytes, int at, int length, int page, int pages) {
        if (at + length > bytes.length || at < 0) {
            return noise(bytes, page + 4, Page.BYTES - 4);
        }
        ByteBuffer buffer = buffer(bytes);
        long was =
                length == 2
                        ? buffer.getShort(at)
                        : length == 4 ? buffer.getInt(at) : buffer.getLong(at);
        long is =
                switch (random.nextInt(4)) {
                    case 0 -> NUMBERS[random.nextInt(NUMBERS.length)];
                    case 1 -> was + random.nextInt(-9, 10);
                    case 2 -> random.nextInt(pages + 2);
                    default -> was ^ 1L << random.nextInt(8 * length);
                };
        switch (length) {
            case 2 -> buffer.putShort(at, (short) is);
            case 4 -> buffer.putInt(at, (int) is);
            default -> buffer.putLong(at, is);
        }
        return "%d bytes at %d from %d to %d".formatted(length, at - page, was, is);
    }

    /// Makes the checksum at `to` right, which is of the bytes from `from` to `end`; all relative to `at`.
    private static void seal(byte[] bytes, int at, int to, int from, int end) {
        MemorySegment all = MemorySegment.ofArray(bytes);
        int checksum = PageChecksum.checksum(all, at + from - 4L, end - from + 4L);
        buffer(bytes).putInt(at + to, checksum);
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
