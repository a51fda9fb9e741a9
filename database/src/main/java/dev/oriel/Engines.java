package dev.oriel;

import dev.oriel.store.ClosedException;
import dev.oriel.store.Durability;
import dev.oriel.store.StorageException;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.engine.Tables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The open databases of this process. Each is open once and shared: it is closed with its last lease. Opening and
/// closing one blocks only callers that want the same one.
final class Engines {
    private static final ConcurrentMap<String, Shared> OPEN = new ConcurrentHashMap<>();

    private Engines() {}

    /// Leases the database in `folder`.
    ///
    /// @param options null for the options of the open database, or the defaults if it is not open
    static Lease open(Path folder, @Nullable DatabaseOptions options) {
        Path real = real(folder);
        DatabaseOptions wanted = options == null ? DatabaseOptions.defaults() : options;
        Lease lease = lease(ConnectionUrl.PREFIX + real, () -> Engine.open(real, wanted));
        return checked(lease, options);
    }

    /// Leases the memory database `name`, which exists while it is leased. Without a name it is new, and no other call
    /// finds it.
    static Lease memory(String name, @Nullable DatabaseOptions options) {
        DatabaseOptions wanted =
                (options == null ? DatabaseOptions.defaults() : options)
                        .withDurability(Durability.ASYNC);
        if (name.isEmpty()) {
            return new Shared("").first(() -> Engine.inMemory(name, wanted));
        }
        String key = ConnectionUrl.PREFIX + ConnectionUrl.MEMORY + name;
        Lease lease = lease(key, () -> Engine.inMemory(name, wanted));
        return checked(lease, options == null ? null : wanted);
    }

    /// Leases a store that the caller has opened, on a disk of its own; no other caller finds it.
    static Lease over(Store store, Tables tables, DatabaseOptions options) {
        return new Shared("").first(() -> Engine.over(store, tables, "", options, null));
    }

    /// The canonical path of a folder. A path that does not exist yet is resolved by its nearest existing
    /// ancestor.
    private static Path real(Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        try {
            Path there = absolute;
            while (there != null && !Files.exists(there)) {
                there = there.getParent();
            }
            return there == null
                    ? absolute
                    : there.toRealPath().resolve(there.relativize(absolute));
        } catch (IOException e) {
            throw new StorageException("The path cannot be followed", "path=" + folder, e);
        }
    }

    private static Lease lease(String key, Supplier<Engine> opening) {
        while (true) {
            Lease lease = OPEN.computeIfAbsent(key, Shared::new).lease(opening);
            if (lease != null) {
                return lease;
            }
        }
    }

    /// An open database cannot be opened with other options, except for reading only.
    @SuppressWarnings("ReferenceEquality") // a shortcut for the call that opened it
    private static Lease checked(Lease lease, @Nullable DatabaseOptions wanted) {
        DatabaseOptions actual = lease.engine().options();
        if (wanted == null
                || wanted == actual
                || (wanted.withReadOnly(actual.readOnly()).equals(actual)
                        && (wanted.readOnly() || !actual.readOnly()))) {
            return lease;
        }
        lease.close();
        throw new UsageException(
                "The database is open in this process with other options; use the same, or close it"
                        + " first",
                "open=" + actual + " wanted=" + wanted);
    }

    /// One open database and the count of its leases. Once it is closed, it stays closed; the next one of that
    /// name has another `Shared`.
    private static final class Shared {
        private final String key;
        private final ReentrantLock lock = new ReentrantLock();
        private @Nullable Engine engine;
        private int leases;
        private boolean over;

        Shared(String key) {
            this.key = key;
        }

        Lease first(Supplier<Engine> opening) {
            Engine opened = opening.get();
            engine = opened;
            leases = 1;
            return new Lease(opened, this);
        }

        /// Null if this one is closed.
        @Nullable Lease lease(Supplier<Engine> opening) {
            lock.lock();
            try {
                if (over) {
                    return null;
                }
                Engine open = engine;
                if (open != null) {
                    leases++;
                    return new Lease(open, this);
                }
                boolean opened = false;
                try {
                    Lease lease = first(opening);
                    opened = true;
                    return lease;
                } finally {
                    if (!opened) {
                        end();
                    }
                }
            } finally {
                lock.unlock();
            }
        }

        void release() {
            lock.lock();
            try {
                leases--;
                Engine last = engine;
                if (leases == 0 && last != null) {
                    try {
                        last.close();
                    } finally {
                        end();
                    }
                }
            } finally {
                lock.unlock();
            }
        }

        private void end() {
            over = true;
            OPEN.remove(key, this);
        }
    }

    /// The right to use an open database, until `close`.
    static final class Lease implements AutoCloseable {
        private final Engine engine;
        private final Shared shared;
        private final AtomicBoolean closed = new AtomicBoolean();

        private Lease(Engine engine, Shared shared) {
            this.engine = engine;
            this.shared = shared;
        }

        Engine engine() {
            return engine;
        }

        /// A second lease of the same database, which this lease keeps open during the call.
        ///
        /// @throws ClosedException if this one has ended
        Lease another() {
            Lease lease = closed.get() ? null : shared.lease(() -> engine);
            if (lease == null) {
                throw new ClosedException("The database has been closed", engine.url());
            }
            return lease;
        }

        void checkOpen() {
            if (closed.get()) {
                throw new ClosedException("The database has been closed", engine.url());
            }
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                shared.release();
            }
        }
    }
}
