package dev.oriel.bench.faces;

import dev.oriel.bench.Durability;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/// Ours: by the faces of a transaction, or the same rows by the table layer. Names no class of the engine, so that
/// it can be listed if the engine is absent.
///
/// @param rows by the table layer alone
record OrielFacesSubject(boolean rows) implements FacesSubject {
    @Override
    public String name() {
        return rows ? "oriel-rows" : "oriel-faces";
    }

    @Override
    public String product() {
        return "oriel";
    }

    @Override
    public String settings() {
        return rows
                ? "Oriel, this working tree: three rows by its table layer, without SQL, Gremlin and"
                        + " maps: the edge is a row with two foreign keys and an index of the other direction;"
                        + " defaults but for the durability"
                : "Oriel, this working tree: Database.transact with a prepared INSERT, addEdge of the"
                        + " structure API and put of a map; defaults but for the durability";
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.ASYNC, Durability.WRITTEN, Durability.SYNC);
    }

    @Override
    public FacesStore open(Path folder, Durability durability) {
        return rows
                ? OrielRowStore.open(folder, durability)
                : OrielFaceStore.open(folder, durability);
    }
}
