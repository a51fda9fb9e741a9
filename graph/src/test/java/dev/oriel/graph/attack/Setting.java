package dev.oriel.graph.attack;

import dev.oriel.DatabaseOptions;
import dev.oriel.store.Durability;
import dev.oriel.store.PageReads;
import dev.oriel.store.StoreOptions;
import dev.oriel.testkit.Gen;
import java.util.List;

/// Conditions of one episode, all drawn from its seed.
///
/// @param faults whether the disk fails or fills up; for simulated disks only
/// @param crash whether the database is dropped without a close; for simulated disks only
/// @param closing whether handles are closed while others work
/// @param interrupts whether threads are interrupted
/// @param shared whether connections, elements and transactions are passed between threads
record Setting(
        Place place,
        int threads,
        boolean virtual,
        boolean faults,
        boolean crash,
        boolean closing,
        boolean interrupts,
        boolean shared,
        int isolation,
        StoreOptions store,
        long queryBytesMax) {
    /// Storage of the files.
    enum Place {
        MEMORY,
        DISK,
        SIMULATED
    }

    private static final List<Integer> ISOLATIONS =
            List.of(
                    java.sql.Connection.TRANSACTION_READ_COMMITTED,
                    java.sql.Connection.TRANSACTION_REPEATABLE_READ,
                    java.sql.Connection.TRANSACTION_SERIALIZABLE);

    static Setting draw(Gen gen) {
        Place place = gen.pick(List.of(Place.values()));
        boolean simulated = place == Place.SIMULATED;
        StoreOptions store =
                StoreOptions.defaults()
                        .withDurability(
                                place == Place.MEMORY
                                        ? Durability.ASYNC
                                        : gen.pick(List.of(Durability.values())))
                        .withPageReads(
                                new PageReads(
                                        gen.chance(50)
                                                ? PageReads.Way.MAPPED
                                                : PageReads.Way.POSITIONAL,
                                        gen.between(1, 4) << 20))
                        .withCheckpointBytes(gen.between(1, 64) << 16)
                        .withDirtyBytesMax(gen.between(1, 64) << 18)
                        .withWriteSetBytesMax(gen.between(1, 64) << 16)
                        .withKeyLocksMax((int) gen.between(4, 400))
                        .withSnapshotAgeMillisMax(gen.chance(20) && place != Place.MEMORY ? 200 : 0)
                        .withExclusiveIdleMillisMax(500)
                        .withWriteTimeoutMillis(gen.between(5, 100));
        return new Setting(
                place,
                gen.weighted(1, 3) == 0 ? 1 : (int) gen.between(2, 8),
                gen.chance(40),
                simulated && gen.chance(50),
                simulated && gen.chance(60),
                gen.chance(30),
                gen.chance(25),
                gen.chance(75),
                gen.pick(ISOLATIONS),
                store,
                gen.between(1, 32) << 16);
    }

    DatabaseOptions options() {
        return DatabaseOptions.defaults()
                .withDurability(store.durability())
                .withQueryBytesMax(queryBytesMax);
    }
}
