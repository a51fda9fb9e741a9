package dev.oriel.table.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.TemporaryFile;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyReader;
import dev.oriel.table.row.StoredKey;
import dev.oriel.table.schema.Schema;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Working memory of [ForeignKeys]: buffers for keys, resolved keys, and the queues of deferred work. Kept by
/// `Tables` for one transaction after another: native memory is slower to get than a key is to make.
final class KeyMemory {
    final NativeBuffer key = new NativeBuffer(64);
    final NativeBuffer other = new NativeBuffer(64);
    final NativeBuffer name = new NativeBuffer(64);

    /// Actions on rows that referred to a key: its old values, and its new ones unless its row is gone.
    final KeyQueue actions;

    /// Rows that referred to one that was taken out ([TakenRows]), and are to follow it. An entry is `i32 bytes of
    /// the row key, the row key, its old values`, and the new ones.
    final KeyQueue followers;

    /// Tests due at the end of the statement. Each has the key of a row whose parent was not found, or the values of a
    /// key that was removed or must be unique.
    final KeyQueue doubts;

    /// Tests due at the commit, in the same form as `doubts`.
    final KeyQueue deferred;

    /// Rows of self-referencing tables whose foreign key the statement wrote after it had removed keys; kept while
    /// its actions are pending.
    final KeyMarks written = new KeyMarks();

    private final IdentityHashMap<ForeignKey, ReferencedKey> resolved = new IdentityHashMap<>(4);
    private long resolvedFor = -1;

    /// By the numbers in entries of the queues.
    private final List<Target> targets = new ArrayList<>(2);

    KeyMemory(Supplier<@Nullable TemporaryFile> files) {
        this.actions = new KeyQueue(files, KeyQueue.MEMORY_BYTES_MAX);
        this.followers = new KeyQueue(files, KeyQueue.MEMORY_BYTES_MAX);
        this.doubts = new KeyQueue(files, KeyQueue.MEMORY_BYTES_MAX);
        this.deferred = new KeyQueue(files, KeyQueue.MEMORY_BYTES_MAX);
    }

    /// The foreign key of an entry.
    ///
    /// @param parentColumns of the values in an entry, in the order of the foreign key
    /// @param types theirs
    /// @param unique the UNIQUE constraint, if it is one that the commit tests; `key` refers to itself then
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record Target(
            long child, ForeignKey key, int[] parentColumns, Type[] types, @Nullable Index unique) {
        private static Target of(
                TableEntry child, ForeignKey key, Table parent, @Nullable Index unique) {
            int[] columns = key.parentColumns().stream().mapToInt(Integer::intValue).toArray();
            Type[] types = new Type[columns.length];
            for (int i = 0; i < columns.length; i++) {
                types[i] = parent.columns().get(columns[i]).type();
            }
            return new Target(child.table().id(), key, columns, types, unique);
        }

        /// The new values of a key in `bytes` of an entry, as they were written.
        Tuple exact(Slice bytes) {
            return StoredKey.exact(bytes, types);
        }

        /// The values encoded in `bytes` of an entry, as keys compare.
        Tuple values(Slice bytes) {
            Tuple values = new Tuple(types.length);
            KeyReader reader = new KeyReader().over(bytes);
            for (int i = 0; i < types.length; i++) {
                reader.read(types[i], values, i);
            }
            return values;
        }
    }

    Target target(int number) {
        return targets.get(number);
    }

    /// The number of `key` of `child`, which refers to `parent`.
    @SuppressWarnings("ReferenceEquality") // the very definition
    int number(TableEntry child, ForeignKey key, Table parent) {
        for (int i = 0; i < targets.size(); i++) {
            Target target = targets.get(i);
            if (target.key == key && target.child == child.table().id()) {
                return i;
            }
        }
        targets.add(Target.of(child, key, parent, null));
        return targets.size() - 1;
    }

    /// The number of the UNIQUE constraint of `index`.
    @SuppressWarnings("ReferenceEquality") // the very definition
    int number(TableEntry table, Index index) {
        for (int i = 0; i < targets.size(); i++) {
            Target target = targets.get(i);
            if (target.unique == index && target.child == table.table().id()) {
                return i;
            }
        }
        ForeignKey itself =
                new ForeignKey(
                        index.name(),
                        index.columns(),
                        table.table().id(),
                        index.columns(),
                        ForeignKey.Action.NO_ACTION,
                        ForeignKey.Action.NO_ACTION,
                        ForeignKey.Deferral.INITIALLY_DEFERRED);
        targets.add(Target.of(table, itself, table.table(), index));
        return targets.size() - 1;
    }

    /// The key that `key` of `child` refers to, by the present definitions.
    ReferencedKey parent(Schema schema, TableEntry child, ForeignKey key) {
        if (resolvedFor != schema.version()) {
            resolved.clear();
            resolvedFor = schema.version();
        }
        ReferencedKey found = resolved.get(key);
        if (found == null) {
            TableEntry to = schema.entries().get(key.parent());
            if (to == null) {
                throw new IllegalStateException("a foreign key refers to a table that is gone");
            }
            found = ReferencedKey.of(to, child.table(), key);
            resolved.put(key, found);
        }
        return found;
    }

    /// Empties the queues.
    void clear() {
        actions.clear();
        followers.clear();
        doubts.clear();
        deferred.clear();
        targets.clear();
        if (!written.isEmpty()) {
            written.clear();
        }
    }
}
