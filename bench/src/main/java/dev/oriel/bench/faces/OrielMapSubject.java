package dev.oriel.bench.faces;

import dev.oriel.bench.Durability;
import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.jdbm.RecordSubject;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/// Records in an ordered map of numbers to bytes. Names no class of the engine, so that it can be listed if the
/// engine is absent.
final class OrielMapSubject implements RecordSubject {
    @Override
    public String name() {
        return "oriel-map";
    }

    @Override
    public String product() {
        return "oriel";
    }

    @Override
    public String settings() {
        return "Oriel, this working tree: Database.map of longs to bytes. Puts of one transaction each"
                + " 500, gets by read and scans by forEachValue, both without a copy; defaults but for the"
                + " durability";
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.ASYNC, Durability.WRITTEN, Durability.SYNC);
    }

    @Override
    public RecordStore open(Path folder, Durability durability, long recordsMax) {
        return OrielMapStore.open(folder, durability);
    }
}
