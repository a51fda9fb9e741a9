package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import java.util.EnumSet;
import java.util.List;

/// The peers that keep rows, edges and entries.
public final class PeerFacesSubjects implements Subjects {
    @Override
    public List<Subject> subjects() {
        return List.of(
                new ApartFacesSubject(
                        "arcadedb",
                        "ArcadeDB 26.7.1 embedded, its Java API: a document with a unique index, an edge"
                                + " with a record of its own, and a document with a unique index for key and"
                                + " value, one transaction; defaults otherwise; written: txWalFlush 0, the"
                                + " default; synced: txWalFlush 1",
                        EnumSet.of(Durability.WRITTEN, Durability.SYNC),
                        PeerGraphSubjects.ARCADEDB),
                new H2RocksDbFaces());
    }
}
