package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.jdbm.RecordSubject;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/// H2's MVStore without its SQL.
///
/// Observed system calls of a commit, both by the committing thread: one `pwrite64` of a chunk of 12 to 20 KB,
/// followed by an `fsync` in class SYNC.
final class MvStoreSubject implements RecordSubject {
    @Override
    public String name() {
        return "mvstore";
    }

    @Override
    public String product() {
        return "h2";
    }

    @Override
    public String settings() {
        return "H2 "
                + Peers.version("h2")
                + ": MVMap<Long, byte[]>, cache of a quarter of the heap. In class async it commits in"
                + " the background as it does by default; in the others at each commit, and syncs"
                + " in class sync.";
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.ASYNC, Durability.WRITTEN, Durability.SYNC);
    }

    @Override
    public RecordStore open(Path folder, Durability durability, long recordsMax) {
        return new MvStoreStore(folder, durability);
    }
}
