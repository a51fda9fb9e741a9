package com.example.slots;

import java.util.Arrays;

/// A record manager: each record gets a slot, and is copied into the page that the slot lies in.
/// Some records are deleted again, whose slots are given to others.
public final class Inserts {
    private static final int PAGE_SLOTS = 64;
    private static final int RECORD_BYTES = 150;

    private final FreeSlots slots;
    private final byte[][] pages;

    private Inserts(int records) {
        slots = new FreeSlots(records);
        pages = new byte[(records + PAGE_SLOTS - 1) / PAGE_SLOTS][PAGE_SLOTS * RECORD_BYTES];
    }

    /// The argument is the number of records.
    public static void main(String[] words) {
        int records = words.length == 0 ? 12_000 : Integer.parseInt(words[0]);
        Inserts store = new Inserts(records);
        byte[] record = new byte[RECORD_BYTES];
        for (int i = 0; i < records; i++) {
            Arrays.fill(record, (byte) i);
            int slot = store.insert(record);
            if (i % 100 == 99) {
                store.delete(slot / 2);
            }
        }
        System.out.println("@oriel check " + Arrays.deepHashCode(store.pages));
    }

    int insert(byte[] record) {
        int slot = slots.take();
        int at = slot % PAGE_SLOTS * RECORD_BYTES;
        System.arraycopy(record, 0, pages[slot / PAGE_SLOTS], at, RECORD_BYTES);
        return slot;
    }

    void delete(int slot) {
        slots.free(slot);
    }
}
