package dev.oriel.store.records;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.page.Page;
import java.util.ArrayList;
import java.util.List;

/// Reads all rows of a collection of [Records] and reports inconsistencies.
final class RecordCheck {
    private final Transaction transaction;
    private final Tree records;
    private final Tree directory;
    private final List<String> problems = new ArrayList<>();
    private final Slice key = new Slice();
    private final Slice value = new Slice();

    /// Long record whose chunks come next; 0 for none. The fields below describe its missing part.
    private long bigId;

    private int bigGeneration;
    private int bigIndex;
    private long bigMissing;

    RecordCheck(Transaction transaction, Tree records, Tree directory) {
        this.transaction = transaction;
        this.records = records;
        this.directory = directory;
    }

    List<String> run() {
        Cursor cursor = transaction.cursor(records);
        for (boolean found = cursor.first(); found; found = cursor.next()) {
            cursor.key(key);
            cursor.value(value);
            if (key.length() == RecordFormat.ID_BYTES) {
                endOfBig();
                row(RecordFormat.id(key, 0));
            } else {
                chunk(RecordFormat.id(key, 0));
            }
        }
        endOfBig();
        cursor.reset(transaction, directory);
        for (boolean found = cursor.first(); found; found = cursor.next()) {
            cursor.key(key);
            cursor.value(value);
            if (key.segment().get(Page.BYTE, key.offset()) == RecordFormat.FREE) {
                free(RecordFormat.id(key, 1));
            } else if (RecordFormat.number(value) <= 0) {
                problems.add("A root names what is no id");
            }
        }
        return problems;
    }

    private void row(long id) {
        if (id <= 0) {
            problems.add("A record has the id " + id);
        }
        if (RecordFormat.isBig(value)) {
            bigId = id;
            bigGeneration = RecordFormat.generation(value);
            bigIndex = 0;
            bigMissing = RecordFormat.length(value);
        } else {
            RecordFormat.content(value, value);
        }
    }

    private void chunk(long id) {
        if (id != bigId || RecordFormat.place(key) != (bigGeneration << 31 | bigIndex)) {
            problems.add("A chunk belongs to no record: id " + id);
            return;
        }
        if (value.length() != Math.min(RecordFormat.CHUNK_BYTES, bigMissing)) {
            problems.add("Chunk " + bigIndex + " of record " + id + " has another length");
        }
        bigIndex++;
        bigMissing -= value.length();
    }

    private void endOfBig() {
        if (bigMissing != 0) {
            problems.add("Chunks of record " + bigId + " are missing: " + bigMissing + " bytes");
        }
        bigId = 0;
        bigMissing = 0;
    }

    private void free(long id) {
        if (transaction.get(
                records, RecordFormat.rowKey(value.setOwn(8).segment(), id, key), value)) {
            problems.add("The id of record " + id + " is free too");
        }
    }
}
