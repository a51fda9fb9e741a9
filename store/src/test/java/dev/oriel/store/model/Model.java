package dev.oriel.store.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The expected content of a store, in the simplest form: trees by name, entries by key. Keys and values are texts
/// of Latin-1 characters, one a byte, so that their order is that of the bytes.
public final class Model {
    public final NavigableMap<String, NavigableMap<String, String>> trees = new TreeMap<>();

    public Model copy() {
        Model copy = new Model();
        trees.forEach((name, entries) -> copy.trees.put(name, new TreeMap<>(entries)));
        return copy;
    }

    public static Slice slice(String text) {
        return Slice.copyOf(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public static String text(Slice slice) {
        return new String(slice.toBytes(), StandardCharsets.ISO_8859_1);
    }

    /// Fails unless `transaction` sees exactly this content.
    public void assertSeenBy(Transaction transaction) {
        for (Map.Entry<String, NavigableMap<String, String>> tree : trees.entrySet()) {
            Tree found = transaction.tree(tree.getKey());
            assertNotNull(found, () -> "tree " + tree.getKey() + " is missing");
            assertEntries(tree.getValue(), transaction, found);
        }
    }

    private static void assertEntries(
            NavigableMap<String, String> expected, Transaction transaction, Tree tree) {
        Cursor cursor = transaction.cursor(tree);
        Slice slice = new Slice();
        boolean more = cursor.first();
        for (Map.Entry<String, String> entry : expected.entrySet()) {
            assertTrue(more, () -> "the cursor ends before " + hex(entry.getKey()));
            cursor.key(slice);
            assertText(entry.getKey(), slice);
            assertEquals(entry.getKey().length(), cursor.keyLength());
            cursor.value(slice);
            assertText(entry.getValue(), slice);
            more = cursor.next();
        }
        assertFalse(more, "the cursor goes on after the last entry");
        more = cursor.last();
        for (String key : expected.descendingKeySet()) {
            assertTrue(more);
            cursor.key(slice);
            assertText(key, slice);
            more = cursor.previous();
        }
        assertFalse(more, "the cursor goes on before the first entry");
    }

    /// Fails unless `transaction` finds the same entries at and around `key` as the model.
    public void assertLookup(Transaction transaction, String treeName, String key) {
        NavigableMap<String, String> expected = trees.get(treeName);
        Tree tree = transaction.tree(treeName);
        if (expected == null) {
            assertNull(tree);
            return;
        }
        assertNotNull(tree);
        Slice slice = new Slice();
        Slice wanted = slice(key);
        boolean found = transaction.get(tree, wanted, slice);
        assertEquals(expected.get(key), found ? text(slice) : null);
        Cursor cursor = transaction.cursor(tree);
        assertPosition(expected.ceilingKey(key), cursor.seek(wanted), cursor);
        assertPosition(expected.lowerKey(key), cursor.seekBefore(wanted), cursor);
    }

    private static void assertPosition(String key, boolean found, Cursor cursor) {
        assertEquals(key != null, found);
        if (key == null) {
            return;
        }
        Slice slice = new Slice();
        cursor.key(slice);
        assertEquals(hex(key), hex(text(slice)));
        assertEquals(0, cursor.compareKeyTo(slice(key)));
        assertTrue(cursor.compareKeyTo(slice(key + "\0")) < 0);
        if (!key.isEmpty()) {
            String shorter = key.substring(0, key.length() - 1);
            assertTrue(cursor.compareKeyTo(slice(shorter)) > 0);
            assertTrue(cursor.keyStartsWith(slice(shorter)));
            assertFalse(cursor.keyStartsWith(slice(key + "a")));
        }
    }

    private static void assertText(String expected, Slice slice) {
        String found = text(slice);
        if (!expected.equals(found)) {
            assertEquals(hex(expected), hex(found));
        }
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
