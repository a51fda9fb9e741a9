package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.jdbm.RecordSubject;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.StoreConfig;

/// JetBrains Xodus, its environments: with a B+tree, or (`xodus-prefixing`) with a Patricia trie, which is faster
/// for random reads and slower to fill.
///
/// Observed system calls of a commit, both by the committing thread: one `write` of the transaction's log records,
/// followed by an `fdatasync` in class SYNC. It syncs when it is closed.
final class XodusSubject implements RecordSubject {
    private final boolean prefixing;

    XodusSubject(boolean prefixing) {
        this.prefixing = prefixing;
    }

    @Override
    public String name() {
        return prefixing ? "xodus-prefixing" : "xodus";
    }

    @Override
    public String product() {
        return "xodus";
    }

    @Override
    public String settings() {
        return "Xodus "
                + Peers.version("xodus-environment")
                + ": a store without duplicates, "
                + (prefixing ? "with" : "without")
                + " prefixing; defaults, half of the heap as"
                + " its log cache; exclusive transactions; setLogDurableWrite in class sync.";
    }

    @Override
    public List<String> jvmArgs() {
        return Peers.OPENS;
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.WRITTEN, Durability.SYNC);
    }

    @Override
    public RecordStore open(Path folder, Durability durability, long recordsMax) {
        EnvironmentConfig config =
                new EnvironmentConfig().setLogDurableWrite(durability == Durability.SYNC);
        StoreConfig store =
                prefixing
                        ? StoreConfig.WITHOUT_DUPLICATES_WITH_PREFIXING
                        : StoreConfig.WITHOUT_DUPLICATES;
        return new XodusStore(Environments.newInstance(folder.toFile(), config), store);
    }
}
