package dev.oriel.sql.engine;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.store.Transaction;
import dev.oriel.table.TableTransaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Savepoints of a session's transaction, the newest last. Of several with the same name, the newest counts.
final class NamedSavepoints {
    private final SessionSettings settings;
    private final List<Named> all = new ArrayList<>();

    /// @param moment null if nothing had been written when it was set
    /// @param readOnly whether the modes of the transaction made it read-only; null if they did not say
    private record Named(
            String name,
            Transaction.@Nullable Savepoint moment,
            SessionSettings.State settings,
            @Nullable Boolean readOnly) {}

    NamedSavepoints(SessionSettings settings) {
        this.settings = settings;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    void clear() {
        all.clear();
    }

    void add(String name, Transaction.@Nullable Savepoint moment, @Nullable Boolean readOnly) {
        all.add(new Named(name, moment, settings.state(), readOnly));
    }

    /// Whether the modes of the transaction made it read-only when the newest savepoint was set; null for neither.
    @Nullable Boolean wasReadOnly() {
        return all.getLast().readOnly;
    }

    /// Drops the savepoints after `name`, restores its settings, and returns its moment.
    Transaction.@Nullable Savepoint backTo(String name) {
        int at = find(name);
        all.subList(at + 1, all.size()).clear();
        settings.restore(all.get(at).settings);
        return all.get(at).moment;
    }

    /// Drops the savepoint `name` and all after it, and returns its moment.
    Transaction.@Nullable Savepoint release(String name) {
        int at = find(name);
        Transaction.Savepoint moment = all.get(at).moment;
        all.subList(at, all.size()).clear();
        return moment;
    }

    /// Sets all savepoints to the beginning of `transaction`, as nothing was written before it.
    void begin(TableTransaction transaction) {
        for (int i = 0; i < all.size(); i++) {
            Named before = all.get(i);
            all.set(
                    i,
                    new Named(
                            before.name,
                            transaction.savepoint(),
                            before.settings,
                            before.readOnly));
        }
    }

    private int find(String name) {
        for (int i = all.size() - 1; i >= 0; i--) {
            if (all.get(i).name.equalsIgnoreCase(name)) {
                return i;
            }
        }
        throw new SqlException(
                Kind.UNKNOWN_SAVEPOINT, "There is no savepoint \"" + name + "\"", -1, null);
    }
}
