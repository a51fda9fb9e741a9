package dev.oriel.table.maintenance;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.key.KeyText;
import dev.oriel.table.row.StoredKey;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.Schema;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.transaction.ReferencedKey;
import dev.oriel.table.value.NativeBuffer;
import java.util.List;

/// Checks in one snapshot that the foreign keys of every row refer to existing rows.
public final class ReferenceCheck {
    private static final int SENTENCES_MAX = 20;

    private final Transaction store;
    private final Schema schema;
    private final TableEntry table;
    private final CheckProgress progress;
    private final List<String> found;

    public ReferenceCheck(
            Transaction store,
            Schema schema,
            TableEntry table,
            CheckProgress progress,
            List<String> found) {
        this.progress = progress;
        this.store = store;
        this.schema = schema;
        this.table = table;
        this.found = found;
    }

    public void run() {
        for (ForeignKey key : table.table().constraints().foreignKeys()) {
            TableEntry parent = schema.entries().get(key.parent());
            if (parent == null) {
                say(key, "refers to a table that does not exist");
            } else {
                check(key, ReferencedKey.of(parent, table.table(), key));
            }
        }
    }

    private void check(ForeignKey key, ReferencedKey to) {
        StoredRow row = table.newRow();
        NativeBuffer bytes = new NativeBuffer(64);
        Slice value = new Slice();
        Slice wanted = new Slice();
        int said = 0;
        Cursor cursor = store.cursor(table.tree());
        for (boolean more = cursor.first(); more && said < SENTENCES_MAX; more = cursor.next()) {
            progress.row();
            cursor.value(value);
            row.point(value);
            bytes.clear();
            boolean nulls = StoredKey.putColumns(bytes, row, to.types(), to.childColumns());
            if (!nulls && !to.existsIn(store, bytes.slice(wanted))) {
                said++;
                say(
                        key,
                        "refers to "
                                + KeyText.of(wanted, to.types())
                                + " of table "
                                + to.parent().table().name()
                                + ", which does not exist");
            }
        }
    }

    private void say(ForeignKey key, String what) {
        found.add(
                "Table " + table.table().name() + ", foreign key " + key.name() + " " + what + ".");
    }
}
