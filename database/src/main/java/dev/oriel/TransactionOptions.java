package dev.oriel;

import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How a [Transaction] begins. Immutable: each `with` method returns changed options.
///
/// ```java
/// db.transact(TransactionOptions.defaults().withIsolation(Isolation.SNAPSHOT), tx -> tx.map("log").first());
/// ```
///
/// @param isolation which changes of others it sees
/// @param durability of its commit; null for the database's own class
/// @param readOnly whether it refuses to write; it reads one snapshot then
/// @param timeout how long [Database#transact] tries again after conflicts; more than zero
/// @param name its name for monitoring; empty for no name
/// @param traced whether the place of its beginning is kept, for `sys.transactions` and for the log if it is
///     forgotten instead of closed; that takes some microseconds
public record TransactionOptions(
        Isolation isolation,
        @Nullable Durability durability,
        boolean readOnly,
        Duration timeout,
        String name,
        boolean traced) {
    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(30);

    /// @throws dev.oriel.store.UsageException if the timeout is zero or negative
    public TransactionOptions {
        if (timeout.isZero() || timeout.isNegative()) {
            throw new dev.oriel.store.UsageException(
                    "A timeout is longer than zero; choose another", "timeout=" + timeout);
        }
    }

    /// READ COMMITTED, the database's durability, writing, 30 seconds of attempts.
    public static TransactionOptions defaults() {
        return new TransactionOptions(
                Isolation.READ_COMMITTED, null, false, USUAL_TIMEOUT, "", false);
    }

    public TransactionOptions withIsolation(Isolation other) {
        return new TransactionOptions(other, durability, readOnly, timeout, name, traced);
    }

    public TransactionOptions withDurability(@Nullable Durability other) {
        return new TransactionOptions(isolation, other, readOnly, timeout, name, traced);
    }

    public TransactionOptions withReadOnly(boolean other) {
        return new TransactionOptions(isolation, durability, other, timeout, name, traced);
    }

    public TransactionOptions withTimeout(Duration other) {
        return new TransactionOptions(isolation, durability, readOnly, other, name, traced);
    }

    public TransactionOptions withName(String other) {
        return new TransactionOptions(isolation, durability, readOnly, timeout, other, traced);
    }

    public TransactionOptions withTraced(boolean other) {
        return new TransactionOptions(isolation, durability, readOnly, timeout, name, other);
    }
}
