package dev.oriel.table.transaction;

import dev.oriel.store.UsageException;
import dev.oriel.table.TriggerCalls;
import dev.oriel.table.definition.Table;
import dev.oriel.table.schema.TableEntry;
import org.jspecify.annotations.Nullable;

/// Sees to it that no table with triggers is changed without them. One lookup serves consecutive changes of one table.
final class TriggerWatch {
    private final StoredTransaction transaction;
    private @Nullable TriggerCalls calls;

    /// The table looked up last, the version of the definitions then, and whether it has triggers.
    private @Nullable TableEntry known;

    private long version;
    private boolean has;

    /// Whether the statement has changed a table with triggers.
    private boolean fired;

    TriggerWatch(StoredTransaction transaction) {
        this.transaction = transaction;
    }

    /// Lets `other` run the triggers from now on; returns the former runner.
    @Nullable TriggerCalls replace(@Nullable TriggerCalls other) {
        TriggerCalls former = calls;
        calls = other;
        fired &= other != null;
        return former;
    }

    /// Whether a bulk load inserts a row into `table` one by one, because it has triggers or the statement has fired
    /// some. Else it would put gathered rows into the trees again and again, as triggers read them.
    boolean keepsFromBulk(Table table) {
        if (!fired && transaction.schema().catalog().hasTriggers()) {
            fired = has(transaction.entry(table));
        }
        return fired;
    }

    @SuppressWarnings("ReferenceEquality") // a shortcut: another entry is looked up
    private boolean has(TableEntry table) {
        if (table != known || version != transaction.schema().version()) {
            known = table;
            version = transaction.schema().version();
            has = !transaction.schema().catalog().triggers(table.table().id()).isEmpty();
        }
        return has;
    }

    /// The calls for changes of `table`; null if it has no triggers.
    @Nullable TriggerCalls of(TableEntry table) {
        if (!transaction.schema().catalog().hasTriggers() || !has(table)) {
            return null;
        }
        TriggerCalls own = calls;
        if (own == null) {
            throw new UsageException(
                    "A table with triggers is changed by SQL only; send statements, or drop its"
                            + " triggers",
                    "table=" + table.table().name());
        }
        return own;
    }

    /// `table`, after a check that its triggers are run.
    TableEntry checked(TableEntry table) {
        of(table);
        return table;
    }
}
