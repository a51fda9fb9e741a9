package dev.oriel;

import dev.oriel.sql.engine.Sql;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Loads the classes and code of the first query into a fresh JVM, on a thread of its own, while the caller opens
/// the first database. Either takes about as long. The thread ends with it; no thread waits for it.
final class EngineWarmUp implements Runnable {
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    /// Large classes, which are needed when the database is open.
    private static final List<Class<?>> CLASSES =
            List.of(JdbcConnection.class, JdbcPreparedStatement.class, JdbcResultSet.class);

    private EngineWarmUp() {}

    /// To be called before the first database is opened for SQL; later calls do nothing.
    static void begin() {
        if (BEGUN.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("oriel-rehearsal").start(new EngineWarmUp());
        }
    }

    /// In the order in which the caller will need it.
    @Override
    public void run() {
        var _ =
                ValueLayout.JAVA_LONG_UNALIGNED
                        .varHandle(); // the JDK's own, of memory outside the heap
        Store.inMemory(StoreOptions.defaults()).close();
        Sql.rehearse();
        try {
            for (Class<?> each : CLASSES) {
                var _ = MethodHandles.lookup().ensureInitialized(each);
            }
        } catch (IllegalAccessException e) {
            throw new AssertionError("classes of this package", e);
        }
    }
}
