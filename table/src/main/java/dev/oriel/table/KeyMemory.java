package dev.oriel.table;

import dev.oriel.store.Slice;
import dev.oriel.store.TemporaryFile;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Working memory of [ForeignKeys]: where keys are put together, which keys they are, and what was put off.
/// Kept by [Tables] for one transaction after another: memory beside the heap takes longer to get than a key to
/// make.
final class KeyMemory {
    final NativeBuffer key = new NativeBuffer(64);
    final NativeBuffer other = new NativeBuffer(64);
    final NativeBuffer name = new NativeBuffer(64);

    /// What is to become of rows that referred to a key: its values, and its new ones, which are missing where its
    /// row is gone.
    final KeyQueue actions;

    /// Rows that referred to one that was taken out ([TakenRows]), and are to follow it: `i32 bytes of the row key, the
    /// row key, the values that it had`, and the new ones.
    final KeyQueue followers;

    /// What must be looked at again at the end of the statement: the key of a row whose parent was not found, or
    /// else the values of a key that was taken away.
    final KeyQueue doubts;

    /// The same, for the commit.
    final KeyQueue deferred;

    /// Rows that refer to others of their table by what the statement itself has put there after it had taken keys
    /// away: while its actions are put off.
    final KeyMarks written = new KeyMarks();

    private final IdentityHashMap<ForeignKey, ReferencedKey> resolved = new IdentityHashMap<>(4);
    private long resolvedFor = -1;

    /// By the numbers that entries of the queues have.
    private final List<Target> targets = new ArrayList<>(2);

    KeyMemory(Supplier<@Nullable TemporaryFile> files) {
        this.actions = new KeyQueue(files, KeyQueue.MEMORY_BYTES_MAX);
        this.followers = new KeyQueue(files, KeyQueue.MEMORY_BYTES_MAX);
        this.doubts = new KeyQueue(files, KeyQueue.MEMORY_BYTES_MAX);
        this.deferred = new KeyQueue(files, KeyQueue.MEMORY_BYTES_MAX);
    }

    /// The foreign key that an entry is about.
    ///
    /// @param parentColumns of the values in an entry, in the order of the foreign key
    /// @param types theirs
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record Target(long child, ForeignKey key, int[] parentColumns, Type[] types) {
        private static Target of(TableEntry child, ForeignKey key, Table parent) {
            int[] columns = key.parentColumns().stream().mapToInt(Integer::intValue).toArray();
            Type[] types = new Type[columns.length];
            for (int i = 0; i < columns.length; i++) {
                types[i] = parent.columns().get(columns[i]).type();
            }
            return new Target(child.table().id(), key, columns, types);
        }

        /// The values that `bytes` of an entry are.
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
        targets.add(Target.of(child, key, parent));
        return targets.size() - 1;
    }

    /// What `key` of `child` refers to, as the definitions are now.
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

    /// Forgets all that was put off.
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
