package dev.oriel.bench.peers;

import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import dev.oriel.bench.Durability;
import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.jdbm.RecordSubject;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Berkeley DB, Java Edition.
///
/// Observed system calls of a commit: one `write` of about 210 bytes in class WRITTEN, followed by an `fdatasync`
/// in class SYNC; waiting commits are synced as one.
final class JeSubject implements RecordSubject {
    @Override
    public String name() {
        return "je";
    }

    @Override
    public String product() {
        return "je";
    }

    @Override
    public String settings() {
        return "Berkeley DB Java Edition "
                + Peers.version("je")
                + ": transactional, defaults, 60 % of the heap as its cache; COMMIT_NO_SYNC,"
                + " COMMIT_WRITE_NO_SYNC and COMMIT_SYNC; it reads without snapshots, by locks.";
    }

    @Override
    public List<String> jvmArgs() {
        return Peers.OPENS;
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.ASYNC, Durability.WRITTEN, Durability.SYNC);
    }

    @Override
    public RecordStore open(Path folder, Durability durability, long recordsMax) {
        EnvironmentConfig config =
                new EnvironmentConfig().setAllowCreate(true).setTransactional(true);
        config.setDurability(policy(durability));
        return new JeStore(new Environment(folder.toFile(), config));
    }

    private static com.sleepycat.je.Durability policy(Durability durability) {
        return switch (durability) {
            case SYNC -> com.sleepycat.je.Durability.COMMIT_SYNC;
            case WRITTEN -> com.sleepycat.je.Durability.COMMIT_WRITE_NO_SYNC;
            case ASYNC, MEMORY -> com.sleepycat.je.Durability.COMMIT_NO_SYNC;
        };
    }
}
