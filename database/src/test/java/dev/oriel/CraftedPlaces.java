package dev.oriel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/// The fields of a database's files, as docs/file-format.md has them, by what they are, and how to change one so
/// that all checksums are right again. It reads the format by itself: what the engine believes of it does
/// not count here.
@SuppressWarnings("ByteBufferBackingArray") // its buffers are whole arrays
final class CraftedPlaces {
    static final int PAGE_BYTES = Integer.getInteger("oriel.pageBytes", 8192);
    private static final int HEADER_BYTES = 40;
    private static final int SEGMENT_BYTES = 4096;
    private static final int RECORD_BYTES = 64;
    private static final int DEPTH_MAX = 20;
    private static final String DATA = "data";
    private static final String SHADOW = "shadow";

    private static final long[] NUMBERS = {
        0,
        1,
        2,
        3,
        4,
        7,
        8,
        127,
        128,
        255,
        256,
        0x7FFF,
        0x8000,
        0xFFFE,
        0xFFFF,
        1 << 20,
        Integer.MAX_VALUE,
        1L << 31,
        1L << 32,
        1L << 46,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        -1,
        -2
    };

    /// A field: so many bytes of a file.
    private record Place(String file, int at, int bytes) {}

    private final Map<String, byte[]> files;
    private final Map<String, List<Place>> places = new LinkedHashMap<>();
    private final Map<Integer, String> trees = new HashMap<>();

    CraftedPlaces(Map<String, byte[]> files) {
        this.files = files;
        nameTree(2, "sys.trees", 0);
        byte[] data = files.getOrDefault(DATA, new byte[0]);
        for (int at = 0; at < 2 * PAGE_BYTES; at += PAGE_BYTES) {
            fields("header", DATA, at, 4, 16, 24, 28, 32, 40, 48, 56, 64, 72, 80, 84, 88, 92, 184);
        }
        for (int page = 2; page < data.length / PAGE_BYTES; page++) {
            page(DATA, page * PAGE_BYTES, "");
        }
        byte[] shadow = files.getOrDefault(SHADOW, new byte[0]);
        for (int at = 0; at < shadow.length; at += PAGE_BYTES) {
            page(SHADOW, at, "shadow of ");
        }
        files.forEach((name, bytes) -> {
            if (name.startsWith("log-")) {
                log(name, bytes);
            }
        });
    }

    /// What there is to change.
    List<String> kinds() {
        return List.copyOf(places.keySet());
    }

    private void add(String kind, String file, int at, int bytes) {
        if (at >= 0 && at + bytes <= files.getOrDefault(file, new byte[0]).length) {
            places.computeIfAbsent(kind, new_ -> new ArrayList<>()).add(new Place(file, at, bytes));
        }
    }

    private void fields(String kind, String file, int at, int... offsets) {
        for (int offset : offsets) {
            add(kind + "." + offset, file, at + offset, offset % 8 == 0 && offset >= 32 ? 8 : 2);
        }
    }

    /// Names the pages of the tree whose root is `page`; of the tree of trees those of all others too.
    private void nameTree(int page, String name, int depth) {
        ByteBuffer data = buffer(DATA);
        int at = page * PAGE_BYTES;
        if (depth == DEPTH_MAX || page < 2 || at + PAGE_BYTES > data.capacity()) {
            return;
        }
        trees.put(page, name);
        int kind = data.get(at + 4);
        if (kind == 2) {
            nameTree((int) data.getLong(at + 32), name, depth + 1);
        }
        for (int i = 0; i < unsigned(data, at + 6); i++) {
            int slot = at + HEADER_BYTES + 8 * i;
            int cell = at + unsigned(data, slot);
            int suffix = unsigned(data, slot + 2);
            if (kind == 2) {
                nameTree((int) data.getLong(cell), name, depth + 1);
            } else if (kind == 1 && name.equals("sys.trees")) {
                int prefix = unsigned(data, at + 24);
                int low = at + PAGE_BYTES - unsigned(data, at + 20);
                byte[] all = data.array();
                String tree =
                        new String(all, low, prefix, StandardCharsets.UTF_8)
                                + new String(all, cell + 2, suffix, StandardCharsets.UTF_8);
                nameTree((int) data.getLong(cell + 2 + suffix), tree, depth + 1);
            }
        }
    }

    private void page(String file, int at, String prefix) {
        ByteBuffer bytes = buffer(file);
        int kind = bytes.get(at + 4);
        switch (kind) {
            case 1, 2 -> node(file, at, prefix);
            case 3 -> fields(prefix + "overflow", file, at, 4, 6, 8, 16, 32, 40);
            case 4 -> {
                fields(prefix + "free map", file, at, 4, 6, 8, 16, 32);
                for (int i = 0; i < 24; i++) {
                    add(prefix + "free map.bits", file, at + HEADER_BYTES + i, 1);
                }
            }
            case 6 -> {
                fields("directory", file, at, 4, 6, 8, 16, 32, 40, 48);
                for (int i = 0; i < unsigned(bytes, at + 6); i++) {
                    add("directory.page", file, at + 56 + 16 * i, 8);
                    add("directory.slot", file, at + 64 + 16 * i, 4);
                    add("directory.checksum", file, at + 68 + 16 * i, 4);
                }
            }
            default -> {}
        }
    }

    private void node(String file, int at, String prefix) {
        ByteBuffer bytes = buffer(file);
        boolean leaf = bytes.get(at + 4) == 1;
        String kind = prefix + (leaf ? "leaf" : "branch");
        String tree = trees.getOrDefault((int) bytes.getLong(at + 8), "lost");
        String treeKind = tree.matches("[ti]\\d+") ? tree.substring(0, 1) : tree;
        fields(kind, file, at, 4, 6, 8, 16, 18, 20, 22, 24, 26, 32);
        add(kind + ".fence", file, at + PAGE_BYTES - 1, 1);
        for (int i = 0; i < unsigned(bytes, at + 6); i++) {
            int slot = at + HEADER_BYTES + 8 * i;
            int cell = at + unsigned(bytes, slot);
            int suffix = unsigned(bytes, slot + 2);
            add(kind + ".slot cell", file, slot, 2);
            add(kind + ".slot suffix", file, slot + 2, 2);
            add(kind + ".slot head", file, slot + 4, 4);
            if (leaf) {
                cell(file, cell, suffix, treeKind, prefix);
            } else {
                add(kind + ".child", file, cell, 8);
            }
        }
    }

    private void cell(String file, int cell, int suffix, String tree, String prefix) {
        int length = unsigned(buffer(file), cell);
        add(prefix + "leaf.cell length", file, cell, 2);
        for (int i = 0; i < suffix; i++) {
            add(prefix + "key of " + tree, file, cell + 2 + i, 1);
        }
        int value = cell + 2 + suffix;
        if (length >= 0x8000) {
            add(prefix + "reference.length", file, value, 4);
            add(prefix + "reference.page", file, value + 4, 8);
            return;
        }
        for (int i = 0; i < length; i++) {
            add(prefix + "value of " + tree, file, value + i, 1);
            if (i + 2 <= length) {
                add(prefix + "number in value of " + tree, file, value + i, 2);
            }
            if (i + 4 <= length) {
                add(prefix + "long number in value of " + tree, file, value + i, 4);
            }
        }
    }

    private void log(String name, byte[] log) {
        for (int offset : new int[] {0, 8, 16, 32, 40, 48, 56, 64, 68}) {
            add("segment." + offset, name, offset, offset >= 32 && offset < 64 ? 8 : 4);
        }
        for (int at : records(log)) {
            for (int offset : new int[] {16, 24, 32, 40, 44, 48, 56}) {
                int bytes = offset == 40 || offset == 44 ? 4 : 8;
                add("record." + offset, name, at + offset, bytes);
            }
            int end = at + (int) buffer(name).getLong(at + 32);
            int diff = at + RECORD_BYTES;
            while (diff + 12 <= end) {
                int ranges = buffer(name).getInt(diff + 8) & Integer.MAX_VALUE;
                add("record.page", name, diff, 8);
                add("record.flags", name, diff + 8, 4);
                diff += 12;
                for (int i = 0; i < ranges && diff + 4 <= end; i++) {
                    int bytes = unsigned(buffer(name), diff + 2);
                    add("record.offset", name, diff, 2);
                    add("record.bytes", name, diff + 2, 2);
                    for (int b = 0; b < Math.min(bytes, 24); b++) {
                        add("record.content", name, diff + 4 + b, 1);
                    }
                    diff += 4 + bytes;
                }
            }
        }
    }

    private static List<Integer> records(byte[] log) {
        List<Integer> found = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        int at = SEGMENT_BYTES;
        while (at + RECORD_BYTES <= log.length) {
            long length = bytes.getLong(at + 32);
            boolean record = bytes.getInt(at) == 0x474F4C4F && length >= RECORD_BYTES;
            if (record && length <= log.length - at) {
                found.add(at);
                at += (int) ((length + 7) & -8);
            } else {
                at = (at + 4096) & -4096;
            }
        }
        return found;
    }

    /// Changes a place of `kind` in `copies` of the files, and says which.
    String craft(String kind, Map<String, byte[]> copies, SplittableRandom random) {
        List<Place> all = places.getOrDefault(kind, List.of());
        Place place = all.get(random.nextInt(all.size()));
        byte[] bytes = copies.getOrDefault(place.file, new byte[0]);
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int pages = files.getOrDefault(DATA, new byte[0]).length / PAGE_BYTES;
        long was = get(buffer, place);
        long is =
                switch (random.nextInt(5)) {
                    case 0 -> NUMBERS[random.nextInt(NUMBERS.length)];
                    case 1 -> was + random.nextInt(-9, 10);
                    case 2 -> random.nextInt(pages + 2);
                    case 3 -> get(buffer, all.get(random.nextInt(all.size())));
                    default -> was ^ 1L << random.nextInt(8 * place.bytes);
                };
        set(buffer, place, is);
        if (kind.contains("key of ") && random.nextInt(4) > 0) {
            correctHeads(bytes, place.at / PAGE_BYTES * PAGE_BYTES);
        }
        seal(copies, place, was, kind);
        return "%s: %s %d, %d bytes, %d to %d"
                .formatted(kind, place.file, place.at, place.bytes, was, is);
    }

    private static long get(ByteBuffer bytes, Place place) {
        return switch (place.bytes) {
            case 1 -> bytes.get(place.at);
            case 2 -> bytes.getShort(place.at);
            case 4 -> bytes.getInt(place.at);
            default -> bytes.getLong(place.at);
        };
    }

    private static void set(ByteBuffer bytes, Place place, long to) {
        switch (place.bytes) {
            case 1 -> bytes.put(place.at, (byte) to);
            case 2 -> bytes.putShort(place.at, (short) to);
            case 4 -> bytes.putInt(place.at, (int) to);
            default -> bytes.putLong(place.at, to);
        }
    }

    /// Has slots say again what the keys begin with.
    private static void correctHeads(byte[] page, int at) {
        ByteBuffer bytes = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < unsigned(bytes, at + 6); i++) {
            int slot = at + HEADER_BYTES + 8 * i;
            int key = at + unsigned(bytes, slot) + 2;
            int suffix = unsigned(bytes, slot + 2);
            int head = 0;
            for (int b = 0; b < 4; b++) {
                head = head << 8 | (b < suffix ? page[key + b] & 0xFF : 0);
            }
            bytes.putInt(slot + 4, head);
        }
    }

    private static void seal(Map<String, byte[]> copies, Place place, long was, String kind) {
        byte[] bytes = copies.getOrDefault(place.file, new byte[0]);
        if (place.file.startsWith("log-")) {
            sealLog(bytes, place, was, kind);
            return;
        }
        int page = place.at / PAGE_BYTES * PAGE_BYTES;
        sum(bytes, page, page + 4, page + PAGE_BYTES);
        if (place.file.equals(SHADOW) && bytes[page + 4] != 6) {
            tellDirectory(bytes, page);
        }
    }

    private static void sealLog(byte[] log, Place place, long was, String kind) {
        if (place.at < SEGMENT_BYTES) {
            sum(log, 12, 16, SEGMENT_BYTES);
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        int record = -1;
        for (int at = SEGMENT_BYTES; at <= place.at; at += 8) {
            record = bytes.getInt(at) == 0x474F4C4F ? at : record;
        }
        if (record >= 0) {
            long length = bytes.getLong(record + 32);
            boolean fits = length >= RECORD_BYTES && length <= log.length - record;
            long end = fits ? length : kind.equals("record.32") ? was : RECORD_BYTES;
            sum(log, record + 4, record + 8, record + (int) end);
        }
    }

    /// The directory has the checksums of the copies.
    private static void tellDirectory(byte[] shadow, int page) {
        ByteBuffer bytes = ByteBuffer.wrap(shadow).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < shadow.length; at += PAGE_BYTES) {
            if (shadow[at + 4] != 6) {
                continue;
            }
            int count = Math.min((PAGE_BYTES - 56) / 16, unsigned(bytes, at + 6));
            for (int entry = at + 56; entry < at + 56 + count * 16; entry += 16) {
                if (bytes.getInt(entry + 8) == page / PAGE_BYTES) {
                    bytes.putInt(entry + 12, bytes.getInt(page));
                }
            }
            sum(shadow, at, at + 4, at + PAGE_BYTES);
        }
    }

    private static void sum(byte[] bytes, int to, int from, int end) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, end - from);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(to, (int) crc.getValue());
    }

    private ByteBuffer buffer(String file) {
        return ByteBuffer.wrap(files.getOrDefault(file, new byte[0]))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int unsigned(ByteBuffer bytes, int at) {
        return Short.toUnsignedInt(bytes.getShort(at));
    }
}
