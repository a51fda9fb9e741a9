package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.RecordStore;
import dev.oriel.bench.RecordSubject;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.Environments;

/// JetBrains Xodus, its environments.
final class XodusSubject implements RecordSubject {
    @Override
    public String name() {
        return "xodus";
    }

    @Override
    public String product() {
        return "xodus";
    }

    @Override
    public String settings() {
        return "Xodus "
                + Peers.version("xodus-environment")
                + ": a store without duplicates and without prefixing, defaults, half of the heap as"
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
        return new XodusStore(Environments.newInstance(folder.toFile(), config));
    }
}
