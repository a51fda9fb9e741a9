package dev.oriel.store.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The search of a page compared to a scan of its keys: consecutive numbers, numbers with holes, and keys of all
/// lengths.
final class NodeSearchTest {
    private static final int ROUNDS = 3_000;

    private final SplittableRandom random = Seed.of("NodeSearchTest", 71);
    private final Gen gen = new Gen(random);
    private final NodeEditor nodes = new NodeEditor(false);

    @Test
    void findsWhatALookAtEachKeyFinds() {
        int found = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(Page.BYTES, 8);
            for (int i = 0; i < ROUNDS; i++) {
                byte[][] keys = keys();
                fill(page, keys);
                for (int j = 0; j < 20; j++) {
                    byte[] wanted =
                            gen.chance(60) && keys.length > 0
                                    ? gen.pick(Arrays.asList(keys))
                                    : key(3);
                    found += check(page, keys, wanted) ? 1 : 0;
                }
            }
        }
        assertTrue(found > ROUNDS, "found: " + found);
    }

    @Test
    void aPrefixIsComparedByteForByte() {
        int shared = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pages = arena.allocate(2L * Page.BYTES, 8);
            for (int i = 0; i < 10 * ROUNDS; i++) {
                byte[] low = key(gen.below(14));
                byte[] high = key(1 + gen.below(14));
                int common = gen.below(Math.min(low.length, high.length) + 1);
                System.arraycopy(low, 0, high, 0, common);
                long at = gen.chance(50) ? 0 : Page.BYTES; // with and without bytes after the page
                Node.format(pages, at, Page.LEAF, 1, Slice.copyOf(low), Slice.copyOf(high));
                byte[] wanted = key(gen.below(14));
                System.arraycopy(
                        low, 0, wanted, 0, gen.below(Math.min(low.length, wanted.length) + 1));
                int prefix = Node.prefix(pages, at);
                boolean begins =
                        wanted.length >= prefix && Arrays.equals(low, 0, prefix, wanted, 0, prefix);
                assertEquals(
                        begins,
                        Node.hasPrefix(
                                pages,
                                at,
                                Node.lengths(pages, at),
                                gen.chance(50) ? Slice.copyOf(wanted) : padded(arena, wanted)),
                        () -> Arrays.toString(wanted) + " in " + Arrays.toString(low) + prefix);
                shared += begins && prefix > 0 ? 1 : 0;
            }
        }
        assertTrue(shared > ROUNDS, "shared: " + shared);
    }

    /// A key with other bytes before and after it.
    private Slice padded(Arena arena, byte[] key) {
        MemorySegment around = arena.allocate(key.length + 32L, 1).fill((byte) 0x19);
        MemorySegment.copy(key, 0, around, ValueLayout.JAVA_BYTE, 9, key.length);
        return new Slice().set(around, 9, key.length);
    }

    private boolean check(MemorySegment page, byte[][] keys, byte[] wanted) {
        int place = Arrays.binarySearch(keys, wanted, Arrays::compareUnsigned);
        Slice key = Slice.copyOf(wanted);
        int slot = Node.search(page, 0, key.segment(), key.offset(), key.length());
        assertEquals(
                place, slot, () -> Arrays.toString(wanted) + " in " + Arrays.deepToString(keys));
        return slot >= 0;
    }

    private byte[][] keys() {
        int count = gen.below(300);
        TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
        int form = gen.below(4);
        int from = random.nextInt(60_000);
        for (int i = 0; i < count; i++) {
            switch (form) {
                case 0 -> keys.add(number(from + i));
                case 1 -> keys.add(number(from + i * 2));
                case 2 -> keys.add(number(from + gen.below(400)));
                default -> keys.add(key(1 + gen.below(6)));
            }
        }
        return keys.toArray(byte[][]::new);
    }

    /// The key of a number: its length, then its bytes without leading zeros.
    private static byte[] number(int value) {
        int bytes = (39 - Integer.numberOfLeadingZeros(value)) / 8;
        byte[] key = new byte[1 + bytes];
        key[0] = (byte) (0x18 + bytes);
        for (int i = 0; i < bytes; i++) {
            key[1 + i] = (byte) (value >>> (8 * (bytes - 1 - i)));
        }
        return key;
    }

    /// C2 inlines no hot method above 325 bytes (`FreqInlineSize`); see [Node#search].
    @Test
    void theSearchIsLongerThanC2Inlines() throws IOException {
        int most = 0;
        try (InputStream in =
                Objects.requireNonNull(Node.class.getResourceAsStream("Node.class"))) {
            for (MethodModel method : ClassFile.of().parse(in.readAllBytes()).methods()) {
                CodeAttribute code = method.findAttribute(Attributes.code()).orElse(null);
                if (code != null && method.methodName().equalsString("search")) {
                    most = Math.max(most, code.codeLength());
                }
            }
        }
        assertTrue(most > 325, "bytes of code: " + most);
    }

    private byte[] key(int length) {
        byte[] key = new byte[length];
        for (int i = 0; i < length; i++) {
            key[i] = (byte) (gen.chance(50) ? 0x19 + gen.below(3) : random.nextInt(256));
        }
        return key;
    }

    /// A leaf of keys alone.
    private void fill(MemorySegment page, byte[][] keys) {
        Node.format(page, 0, Page.LEAF, 1, new Slice(), Node.unbounded());
        for (int i = 0; i < keys.length; i++) {
            Slice key = Slice.copyOf(keys[i]);
            long cell = nodes.open(page, 0, i, key, Node.LEAF_CELL + key.length());
            Page.setShort(page, cell, 0); // without a value
        }
    }
}
