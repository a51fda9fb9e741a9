package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.jdbm.RecordSubject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import jdbm.RecordManager;
import jdbm.RecordManagerFactory;
import jdbm.RecordManagerOptions;

/// jdbm 1.0: the record manager itself (`jdbm`), or a B+tree in it (`jdbm-tree`).
///
/// A commit serializes the changed blocks into the log file in several `write` calls of 1 KB, and ends with an
/// `fsync`, as a trace of system calls shows. So its only class is SYNC. Without transactions a commit writes the changed
/// blocks to the file without a sync.
final class JdbmSubject implements RecordSubject {
    private static final String TREE = "jdbm-tree";

    private final String name;

    /// Record ids by index. The record manager assigns its own ids, which an application would keep; here an array
    /// keeps them between closing and reopening.
    private final Map<Path, JdbmIds> idsByFolder = new HashMap<>();

    JdbmSubject(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String product() {
        return "jdbm";
    }

    @Override
    public String settings() {
        String how =
                takesAnyId()
                        ? "a B+tree of Long to byte[], default page size"
                        : "the record manager directly; its record ids are its own and are kept in an"
                                + " array outside, a scan gets them one by one";
        return "jdbm " + Peers.version("jdbm") + ": " + how + ". Default cache of 1,000 objects.";
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.SYNC);
    }

    @Override
    public boolean takesAnyId() {
        return name.equals(TREE);
    }

    @Override
    public RecordStore open(Path folder, Durability durability, long recordsMax)
            throws IOException {
        return open(folder, new Properties());
    }

    @Override
    public RecordStore openWithoutTransactions(Path folder, long recordsMax) throws IOException {
        Properties properties = new Properties();
        properties.setProperty(RecordManagerOptions.DISABLE_TRANSACTIONS, "true");
        return open(folder, properties);
    }

    private RecordStore open(Path folder, Properties properties) throws IOException {
        String file = folder.resolve("records").toString();
        RecordManager manager = RecordManagerFactory.createRecordManager(file, properties);
        if (takesAnyId()) {
            return new JdbmTreeStore(manager);
        }
        boolean empty = manager.getNamedObject(JdbmStore.MARKER) == 0;
        JdbmIds ids = empty ? new JdbmIds() : Objects.requireNonNull(idsByFolder.get(folder));
        idsByFolder.put(folder, ids);
        return new JdbmStore(manager, ids);
    }
}
