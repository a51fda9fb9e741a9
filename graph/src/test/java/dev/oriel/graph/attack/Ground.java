package dev.oriel.graph.attack;

import dev.oriel.Database;
import dev.oriel.OpenedDatabase;
import dev.oriel.io.Directory;
import dev.oriel.io.DiskDirectory;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Fault;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Storage of an episode's files, and its clock.
final class Ground {
    private static final long YEAR_MICROS = 365L * 86_400 * 1_000_000;

    private final Setting setting;
    private final Path folder;
    private final AtomicLong clockMicros = new AtomicLong();
    private volatile @Nullable SimDirectory disk;

    Ground(Setting setting, Path folder) {
        this.setting = setting;
        this.folder = folder;
        this.disk = setting.place() == Setting.Place.SIMULATED ? new SimDirectory() : null;
    }

    Path folder() {
        return folder;
    }

    /// Opens the database anew, for the episode.
    Database open() throws IOException {
        return open(setting.store());
    }

    /// Reopens the existing database, for checks that may take long.
    Database reopen() throws IOException {
        return open(setting.store().withSnapshotAgeMillisMax(0).withWriteTimeoutMillis(10_000));
    }

    private Database open(StoreOptions options) throws IOException {
        Store store;
        if (setting.place() == Setting.Place.MEMORY) {
            store = Store.inMemory(options);
        } else {
            SimDirectory simulated = disk;
            Directory directory =
                    simulated != null ? simulated : DiskDirectory.create(folder.resolve("data"));
            store = Store.open(directory, options);
        }
        return OpenedDatabase.over(store, setting.options(), this::nowMicros);
    }

    private long nowMicros() {
        return System.currentTimeMillis() * 1_000 + clockMicros.get();
    }

    /// Sets the clock forward or back.
    void jump(Gen gen) {
        clockMicros.set(gen.between(-YEAR_MICROS, YEAR_MICROS));
    }

    /// Makes the disk fail at one of the next calls, or fill up, or have room again.
    void fail(Gen gen) {
        SimDirectory simulated = disk;
        if (simulated == null || !setting.faults()) {
            return;
        }
        switch (gen.weighted(3, 3, 1)) {
            case 0 -> simulated.spaceBytesMax(gen.between(1 << 16, 8 << 20));
            case 1 -> simulated.spaceBytesMax(Long.MAX_VALUE);
            default ->
                    simulated.failAt(
                            simulated.operations() + gen.between(1, 400),
                            gen.pick(List.of(Fault.IO_ERROR_ONCE, Fault.SHORT_WRITE)));
        }
    }

    /// Keeps the files in the state of a crash at this moment, for the next opening.
    void crash(Gen gen) {
        SimDirectory simulated = Objects.requireNonNull(disk);
        CrashProfile profile =
                switch (setting.store().durability()) {
                    case SYNC -> gen.pick(List.of(CrashProfile.values()));
                    case WRITTEN, ASYNC -> CrashProfile.PROCESS_KILL;
                };
        disk = simulated.crash(gen.random(), profile);
    }

    /// Ends all planned faults; the files stay.
    void heal() {
        SimDirectory simulated = disk;
        if (simulated != null) {
            disk = simulated.copy();
        }
    }
}
