package dev.oriel.table.transaction;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.array.ArrayWrites;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.definition.Constraints;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.MaterializedView;
import dev.oriel.table.definition.NamedSchema;
import dev.oriel.table.definition.Note;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.UserType;
import dev.oriel.table.definition.View;
import dev.oriel.table.expiry.SweepPlace;
import dev.oriel.table.row.RowEncoder;
import dev.oriel.table.row.RowLayout;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.CatalogCodec;
import dev.oriel.table.schema.DefinitionForm;
import dev.oriel.table.schema.GraphCodec;
import dev.oriel.table.schema.GraphForm;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.Schema;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Creates, changes and drops tables, indexes, views, sequences and property graphs inside a transaction. A definition
/// that is refused, or an index that cannot be built, changes nothing.
final class Definitions {
    private final StoredTransaction transaction;
    private final Transaction store;

    Definitions(StoredTransaction transaction) {
        this.transaction = transaction;
        this.store = transaction.store();
    }

    Table create(Table wanted) {
        DefinitionForm.check(wanted);
        return atomically(() -> {
            Schema before = transaction.schema();
            before.accept(wanted);
            long id = freeId(before);
            Table table =
                    new Table(
                            id,
                            wanted.name(),
                            withRequiredKey(wanted),
                            wanted.primaryKey(),
                            List.of(),
                            ownParent(id, wanted.constraints()),
                            wanted.schema());
            Tree tree = transaction.definitions().createTree(TableEntry.treeName(id));
            change(before, new TableEntry(table, tree, List.of(), new byte[0]), id + 1);
            for (Index index : wanted.indexes()) {
                add(table, index);
            }
            checkParents(transaction.entry(table));
            return transaction.entry(table).table();
        });
    }

    /// The number of the next definition, for which no tree is left over.
    private long freeId(Schema before) {
        long id = before.nextId();
        DefinitionLocks locks = transaction.definitions();
        while (locks.hasTree(TableEntry.treeName(id)) || locks.hasTree(IndexEntry.treeName(id))) {
            id++;
        }
        return id;
    }

    /// `changed`, and the tables whose rows it refers to.
    static List<Table> withParents(Schema schema, Table changed) {
        List<Table> tables = new ArrayList<>(List.of(changed));
        for (ForeignKey key : changed.constraints().foreignKeys()) {
            TableEntry parent = schema.entries().get(key.parent());
            if (parent != null) {
                tables.add(parent.table());
            }
        }
        return tables;
    }

    /// A primary key's columns are NOT NULL, declared so or not.
    private static List<Column> withRequiredKey(Table table) {
        List<Column> columns = new ArrayList<>(table.columns());
        for (int i : table.primaryKey()) {
            columns.set(i, columns.get(i).withNullable(false));
        }
        return columns;
    }

    private static Constraints ownParent(long id, Constraints constraints) {
        List<ForeignKey> keys = new ArrayList<>();
        constraints
                .foreignKeys()
                .forEach(key -> keys.add(key.parent() == 0 ? key.withParent(id) : key));
        return constraints.withForeignKeys(keys);
    }

    /// @throws ConstraintException if a foreign key refers to no key
    private void checkParents(TableEntry entry) {
        for (ForeignKey key : entry.table().constraints().foreignKeys()) {
            TableEntry parent = transaction.schema().entries().get(key.parent());
            if (parent == null) {
                throw new ConstraintException(
                        Kind.UNKNOWN_NAME,
                        "A foreign key refers to a table that does not exist",
                        "table=" + entry.table().name() + " constraint=" + key.name());
            }
            ReferencedKey.of(parent, entry.table(), key);
        }
    }

    /// @throws ConstraintException if a foreign key that refers to `entry` no longer finds its key
    private void checkReferences(TableEntry entry) {
        for (Schema.Reference reference : transaction.schema().referencesTo(entry)) {
            Table child = reference.child().table();
            try {
                ReferencedKey.of(entry, child, reference.key());
            } catch (ConstraintException e) {
                throw needed(entry.table(), child, reference.key());
            }
        }
    }

    private static ConstraintException needed(Table table, Table child, ForeignKey key) {
        return new ConstraintException(
                Kind.DEPENDENT,
                "A foreign key of another table refers to it; drop that one first",
                "table="
                        + table.name()
                        + " referring="
                        + child.name()
                        + " constraint="
                        + key.name());
    }

    void drop(Table table) {
        atomically(() -> {
            TableEntry entry = transaction.entry(table);
            for (Schema.Reference reference : transaction.schema().referencesTo(entry)) {
                if (reference.child().table().id() != entry.table().id()) {
                    throw needed(entry.table(), reference.child().table(), reference.key());
                }
            }
            GraphForm.checkUse(transaction.schema(), entry.table(), null);
            dropTrees(entry);
            long id = entry.table().id();
            store.delete(catalogTree(), CatalogCodec.key(id));
            transaction.core().statistics().forget(store, id);
            Schema.Parts parts = transaction.schema().parts();
            parts.tables().remove(id);
            for (Sequence sequence : List.copyOf(parts.sequences().values())) {
                if (sequence.owner() == id) {
                    remove(sequence, parts);
                }
            }
            forgetNotes(id, parts);
            publish(parts);
            return table;
        });
    }

    Table addColumn(Table table, Column column) {
        if (!column.nullable()) {
            throw new UsageException(
                    "A column added to a table must accept NULL: existing rows have no value for it",
                    "table=" + table.name() + " column=" + column.name());
        }
        Table now = transaction.entry(table).table();
        List<Column> columns = new ArrayList<>(now.columns());
        columns.add(column);
        return redefine(now.withColumns(columns), null);
    }

    private void dropTrees(TableEntry entry) {
        store.dropTree(entry.tree());
        for (IndexEntry index : entry.indexes()) {
            if (!index.isArray()) {
                store.dropTree(index.tree());
            }
        }
    }

    /// @param rows receives the number of rows read
    Table createIndex(Table table, Index index, LongConsumer rows) {
        LongConsumer polled = rows.andThen(_ -> transaction.core().store().poll());
        return atomically(() -> add(table, index, polled).table());
    }

    private TableEntry add(Table table, Index index) {
        return add(table, index, _ -> transaction.core().store().poll());
    }

    private TableEntry add(Table table, Index index, LongConsumer rows) {
        Schema before = transaction.schema();
        TableEntry entry = transaction.entry(table);
        DefinitionForm.check(entry.table(), index);
        before.accept(entry.table(), index);
        if ((index.unique() || index.deferred()) && entry.expires()) {
            // else they would count as duplicates
            transaction.sweep(entry).run(Long.MAX_VALUE, new SweepPlace());
        }
        long id = freeId(before);
        @Nullable Tree tree =
                switch (index.kind()) {
                    case BTREE, SEARCH ->
                            transaction.definitions().createTree(IndexEntry.treeName(id));
                    case ARRAY -> null;
                };
        IndexEntry added = new IndexEntry(id, index, entry.table(), tree);
        IndexBuild build = new IndexBuild(transaction, entry, added).telling(rows);
        if (added.isArray()) {
            transaction.arrays().put(added, ArrayWrites.created(build.array()));
        } else {
            build.fillTree();
            if (!transaction.store().isExclusive()) {
                transaction.refresh(); // to see the tree
            }
        }
        TableEntry changed = entry.with(added);
        change(before, changed, id + 1);
        return changed;
    }

    Table dropIndex(Table table, Index index) {
        return atomically(() -> {
            Schema before = transaction.schema();
            TableEntry entry = transaction.entry(table);
            IndexEntry dropped = Schema.index(entry, index);
            if (!dropped.isArray()) {
                store.dropTree(dropped.tree());
            }
            TableEntry changed = entry.without(dropped);
            change(before, changed, before.nextId());
            moveComments(entry.table(), changed.table(), null);
            checkReferences(changed);
            return changed.table();
        });
    }

    Table redefine(Table wanted, TableTransaction.@Nullable Rewrite rewrite) {
        DefinitionForm.check(wanted);
        return atomically(() -> {
            Schema before = transaction.schema();
            TableEntry entry = transaction.entry(wanted);
            Constraints constraints = ownParent(wanted.id(), wanted.constraints());
            Table changed =
                    wanted.withColumns(withRequiredKey(wanted)).withConstraints(constraints);
            before.accept(changed);
            GraphForm.checkUse(before, entry.table(), changed);
            if (rewrite != null && !rewrite.constant()) {
                rewrite(entry, changed, rewrite);
            } else {
                byte[] older = missing(entry, changed, rewrite);
                TableEntry redefined = entry.redefined(changed, older);
                change(before, redefined, before.nextId());
                validate(entry.table(), redefined);
            }
            TableEntry now = transaction.entry(changed);
            checkReferences(now);
            checkParents(now);
            moveComments(entry.table(), now.table(), rewrite == null ? null : rewrite.moved());
            return now.table();
        });
    }

    /// The row that holds the columns added after older rows were written.
    private static byte[] missing(
            TableEntry entry, Table changed, TableTransaction.@Nullable Rewrite rewrite) {
        int before = entry.table().columns().size();
        int columns = changed.columns().size();
        if (rewrite == null && (entry.missing().length == 0 || columns == before)) {
            return entry.missing();
        }
        Tuple old = new Tuple(before);
        if (entry.missing().length > 0) {
            StoredRow row = entry.newRow();
            row.point(Slice.copyOf(entry.missing()));
            copy(entry.table(), row, old);
        }
        Tuple older = new Tuple(columns);
        copy(entry.table(), old, older);
        if (rewrite != null) {
            rewrite.row().apply(old, older);
        }
        NativeBuffer bytes = new NativeBuffer(64);
        new RowEncoder(changed, new RowLayout(changed.columns(), columns))
                .encode(older, bytes, false);
        return bytes.slice(new Slice()).toBytes();
    }

    private static void copy(Table table, Row from, Tuple to) {
        for (int i = 0; i < table.columns().size(); i++) {
            to.copy(i, from, i, table.columns().get(i).type().shape());
        }
    }

    /// Tests the rows for new requirements.
    private void validate(Table before, TableEntry entry) {
        Table now = entry.table();
        List<ForeignKey> keys = new ArrayList<>(now.constraints().foreignKeys());
        keys.removeAll(before.constraints().foreignKeys());
        // routing holds already: a partition goes only with its rows
        boolean rows = !before.constraints().checks().containsAll(now.constraints().declared());
        for (int i = 0; i < now.columns().size(); i++) {
            boolean was = i >= before.columns().size() || before.columns().get(i).nullable();
            rows |= was && !now.columns().get(i).nullable();
            DomainType domain = now.columns().get(i).type().domain();
            DomainType older =
                    i >= before.columns().size() ? null : before.columns().get(i).type().domain();
            rows |= domain != null && !domain.isNoStricterThan(older);
        }
        if (!rows && keys.isEmpty()) {
            return;
        }
        checkParents(entry);
        TableWriter writer = transaction.writer(entry);
        StoredRow row = entry.newRow();
        Slice value = new Slice();
        Cursor cursor = store.cursor(entry.tree());
        for (boolean more = cursor.first(); more; more = cursor.next()) {
            transaction.core().store().poll();
            cursor.value(value);
            row.point(value);
            if (rows) {
                writer.validate(transaction, row);
            }
            for (ForeignKey key : keys) {
                transaction.foreignKeys().validate(entry, key, row);
            }
        }
    }

    /// Rewrites all rows and indexes.
    private void rewrite(TableEntry entry, Table changed, TableTransaction.Rewrite rewrite) {
        dropTrees(entry);
        Tree tree = store.createTree(TableEntry.treeName(changed.id()));
        Constraints inside = changed.constraints().withForeignKeys(List.of());
        Table alone = changed.withIndexes(List.of()).withConstraints(inside);
        TableEntry bare = new TableEntry(alone, tree, List.of(), new byte[0]);
        change(transaction.schema(), bare, transaction.schema().nextId());
        if (rewrite.moved() != null) {
            follow(bare, rewrite.moved());
        }
        TableWriter writer = transaction.writer(bare);
        StoredRow row = entry.newRow();
        Tuple values = new Tuple(changed.columns().size());
        Slice value = new Slice();
        Cursor cursor = store.cursor(entry.tree());
        for (boolean more = cursor.first(); more; more = cursor.next()) {
            transaction.core().store().poll();
            cursor.value(value);
            row.point(value);
            rewrite.row().apply(row, values);
            writer.insert(transaction, values, null, new Slice());
        }
        for (Index index : changed.indexes()) {
            add(changed, index);
        }
        TableEntry now = transaction.entry(changed);
        if (!changed.constraints().foreignKeys().isEmpty()) {
            Table without = now.table();
            Table whole = without.withConstraints(changed.constraints());
            now = now.redefined(whole, now.missing());
            change(transaction.schema(), now, transaction.schema().nextId());
            validate(without, now);
        }
        checkReferences(now);
        for (Schema.Reference reference : transaction.schema().referencesTo(now)) {
            validate(
                    reference.child().table().withConstraints(Constraints.NONE), reference.child());
        }
        transaction.foreignKeys().settle(false);
    }

    /// Has foreign keys of other tables refer to the new places of the columns of `parent`.
    private void follow(TableEntry parent, int[] moved) {
        long id = parent.table().id();
        for (Schema.Reference reference : transaction.schema().referencesTo(parent)) {
            Table child = reference.child().table();
            if (child.id() == id) {
                continue;
            }
            List<ForeignKey> keys = new ArrayList<>();
            for (ForeignKey key : child.constraints().foreignKeys()) {
                keys.add(key.parent() == id ? moved(parent.table(), child, key, moved) : key);
            }
            Table other = child.withConstraints(child.constraints().withForeignKeys(keys));
            TableEntry entry = transaction.entry(other);
            if (!entry.table().equals(other)) {
                change(
                        transaction.schema(),
                        entry.redefined(other, entry.missing()),
                        transaction.schema().nextId());
            }
        }
    }

    private static ForeignKey moved(Table parent, Table child, ForeignKey key, int[] moved) {
        List<Integer> columns = new ArrayList<>();
        for (int column : key.parentColumns()) {
            if (moved[column] < 0) {
                throw needed(parent, child, key);
            }
            columns.add(moved[column]);
        }
        return key.withColumns(key.columns(), columns);
    }

    void truncate(Collection<Table> tables) {
        Set<Long> emptied = new HashSet<>();
        tables.forEach(table -> emptied.add(table.id()));
        for (Table table : tables) {
            TableEntry entry = transaction.entry(table);
            for (Schema.Reference reference : transaction.schema().referencesTo(entry)) {
                if (!emptied.contains(reference.child().table().id())) {
                    throw needed(entry.table(), reference.child().table(), reference.key());
                }
            }
        }
        tables.forEach(this::truncate);
    }

    private void truncate(Table table) {
        atomically(() -> {
            TableEntry entry = transaction.entry(table);
            dropTrees(entry);
            Tree tree = store.createTree(TableEntry.treeName(table.id()));
            Table emptied = entry.table().withIndexes(List.of());
            change(
                    transaction.schema(),
                    new TableEntry(emptied, tree, List.of(), new byte[0]),
                    transaction.schema().nextId());
            for (Index index : entry.table().indexes()) {
                add(emptied, index);
            }
            return transaction.entry(table).table();
        });
    }

    View create(View wanted) {
        return atomically(() -> {
            Schema schema = transaction.schema();
            CatalogCodec.checkName(wanted.name());
            wanted.columns().forEach(CatalogCodec::checkName);
            wanted.reads().forEach(CatalogCodec::checkName);
            schema.checkFree(wanted.schema(), wanted.name(), wanted.id());
            boolean isNew = wanted.id() == 0;
            long id = isNew ? schema.nextId() : wanted.id();
            View view = wanted.withId(id);
            store.put(catalogTree(), CatalogCodec.key(id), CatalogCodec.encode(view));
            Schema.Parts parts = numbered(schema.parts(), isNew ? id + 1 : schema.nextId());
            parts.views().put(id, view);
            publish(parts);
            return view;
        });
    }

    void drop(View view) {
        atomically(() -> {
            store.delete(catalogTree(), CatalogCodec.key(view.id()));
            Schema.Parts parts = transaction.schema().parts();
            parts.views().remove(view.id());
            forgetNotes(view.id(), parts);
            publish(parts);
            return view;
        });
    }

    PropertyGraph create(PropertyGraph wanted) {
        return atomically(() -> {
            Schema schema = transaction.schema();
            schema.checkFree("", wanted.name(), wanted.id());
            GraphForm.check(schema, wanted);
            boolean isNew = wanted.id() == 0;
            PropertyGraph graph = isNew ? wanted.withId(schema.nextId()) : wanted;
            long id = graph.id();
            store.put(catalogTree(), CatalogCodec.key(id), GraphCodec.encode(graph));
            Schema.Parts parts = numbered(schema.parts(), isNew ? id + 1 : schema.nextId());
            parts.graphs().put(id, graph);
            publish(parts);
            return graph;
        });
    }

    void drop(PropertyGraph graph) {
        atomically(() -> {
            store.delete(catalogTree(), CatalogCodec.key(graph.id()));
            Schema.Parts parts = transaction.schema().parts();
            parts.graphs().remove(graph.id());
            publish(parts);
            return graph;
        });
    }

    Sequence create(Sequence wanted) {
        return atomically(() -> {
            Schema schema = transaction.schema();
            CatalogCodec.checkName(wanted.name());
            schema.checkFree(wanted.schema(), wanted.name(), wanted.id());
            boolean isNew = wanted.id() == 0;
            long id = isNew ? schema.nextId() : wanted.id();
            Sequence sequence = wanted.withId(id);
            if (isNew) {
                transaction.core().forgetCounter(id);
                transaction.drawn().forget(id);
                if (store.tree(SequenceCounter.TREE) == null) {
                    store.createTree(SequenceCounter.TREE);
                }
            }
            store.put(catalogTree(), CatalogCodec.key(id), CatalogCodec.encode(sequence));
            Schema.Parts parts = numbered(schema.parts(), isNew ? id + 1 : schema.nextId());
            parts.sequences().put(id, sequence);
            publish(parts);
            return sequence;
        });
    }

    void drop(Sequence sequence) {
        atomically(() -> {
            Schema.Parts parts = transaction.schema().parts();
            remove(sequence, parts);
            publish(parts);
            return sequence;
        });
    }

    private void remove(Sequence sequence, Schema.Parts parts) {
        store.delete(catalogTree(), CatalogCodec.key(sequence.id()));
        Tree numbers = store.tree(SequenceCounter.TREE);
        if (numbers != null) {
            store.delete(numbers, CatalogCodec.key(sequence.id()));
        }
        parts.sequences().remove(sequence.id());
        forgetNotes(sequence.id(), parts);
    }

    Note create(Note wanted) {
        return atomically(() -> {
            Schema schema = transaction.schema();
            if (wanted instanceof ExternalTable table) {
                CatalogCodec.checkName(table.name());
                table.columns().forEach(column -> CatalogCodec.checkName(column.name()));
                schema.checkFree("", table.name(), table.id());
            } else if (wanted instanceof NamedSchema named) {
                CatalogCodec.checkName(named.name());
            } else if (wanted instanceof UserType type) {
                CatalogCodec.checkName(type.name());
            } else if (wanted instanceof MaterializedView view) {
                view.reads().forEach(CatalogCodec::checkName);
            } else if (wanted instanceof SqlFunction function) {
                CatalogCodec.checkName(function.name());
                function.names().forEach(CatalogCodec::checkName);
            } else if (wanted instanceof Procedure procedure) {
                CatalogCodec.checkName(procedure.name());
                procedure.parameters().stream()
                        .map(Procedure.Parameter::name)
                        .filter(name -> !name.isEmpty())
                        .forEach(CatalogCodec::checkName);
            } else if (wanted instanceof Trigger trigger) {
                CatalogCodec.checkName(trigger.name());
            }
            boolean isNew = wanted.id() == 0;
            long id = isNew ? schema.nextId() : wanted.id();
            Note note = wanted.withId(id);
            store.put(catalogTree(), CatalogCodec.key(id), CatalogCodec.encode(note));
            Schema.Parts parts = numbered(schema.parts(), isNew ? id + 1 : schema.nextId());
            parts.notes().put(id, note);
            publish(parts);
            return note;
        });
    }

    void drop(Note note) {
        atomically(() -> {
            Schema.Parts parts = transaction.schema().parts();
            remove(note, parts);
            forgetNotes(note.id(), parts);
            publish(parts);
            return note;
        });
    }

    private void remove(Note note, Schema.Parts parts) {
        store.delete(catalogTree(), CatalogCodec.key(note.id()));
        parts.notes().remove(note.id());
    }

    /// Removes the comments and triggers of a definition, its place among partitions, and the query of a materialized
    /// view.
    private void forgetNotes(long of, Schema.Parts parts) {
        for (Note note : List.copyOf(parts.notes().values())) {
            boolean belongs =
                    (note instanceof Comments comments && comments.of() == of)
                            || (note instanceof Partition partition && partition.of() == of)
                            || (note instanceof MaterializedView view && view.of() == of)
                            || (note instanceof Trigger trigger && trigger.of() == of);
            if (belongs) {
                remove(note, parts);
                if (note instanceof Trigger) {
                    forgetNotes(note.id(), parts);
                }
            }
        }
    }

    /// Comments on parts of a table follow renamed parts, and go with dropped ones.
    private void moveComments(Table before, Table after, int @Nullable [] moved) {
        Comments comments = transaction.schema().catalog().comments(after.id());
        Comments kept = comments.moved(before, after, moved);
        if (!kept.equals(comments)) {
            create(kept);
        }
    }

    private void change(Schema before, TableEntry changed, long nextId) {
        long id = changed.table().id();
        store.put(catalogTree(), CatalogCodec.key(id), CatalogCodec.encode(changed));
        Schema.Parts parts = numbered(before.parts(), nextId);
        parts.tables().put(id, changed);
        publish(parts);
    }

    /// `parts` with `nextId` as the number of the next definition.
    private Schema.Parts numbered(Schema.Parts parts, long nextId) {
        if (nextId != parts.nextId()) {
            Slice key = CatalogCodec.key(CatalogCodec.HEADER_KEY);
            store.put(catalogTree(), key, CatalogCodec.header(nextId));
        }
        return new Schema.Parts(
                nextId,
                parts.tables(),
                parts.views(),
                parts.sequences(),
                parts.notes(),
                parts.graphs());
    }

    private void publish(Schema.Parts parts) {
        transaction.define(Schema.of(transaction.core().nextVersion(), parts));
    }

    private Tree catalogTree() {
        Tree tree = store.tree(CatalogCodec.TREE);
        if (tree == null) {
            throw new IllegalStateException("the catalog is created when the store is opened");
        }
        return tree;
    }

    private <T> T atomically(Supplier<T> work) {
        if (!store.writable()) {
            throw new UsageException(
                    "A read-only transaction cannot change definitions; begin a writing one", "");
        }
        Transaction.Savepoint savepoint = transaction.savepoint();
        boolean done = false;
        try {
            T result = work.get();
            done = true;
            return result;
        } finally {
            if (!done) {
                transaction.rollbackTo(savepoint);
            }
            transaction.release(savepoint);
        }
    }
}
