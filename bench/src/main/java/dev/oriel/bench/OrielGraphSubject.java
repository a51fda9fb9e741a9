package dev.oriel.bench;

import java.nio.file.Path;

/// Our graph. Names no class of the engine, so that it can be listed where the engine is absent.
///
/// @param disk on the disk, in class WRITTEN; else in memory
record OrielGraphSubject(boolean disk) implements GraphSubject {
    @Override
    public String name() {
        return disk ? "oriel" : "oriel-memory";
    }

    @Override
    public String product() {
        return "oriel";
    }

    @Override
    public String settings() {
        return "Oriel, this working tree: declared schema, ids allotted by the graph, "
                + (disk ? "durability written, defaults otherwise" : "in memory");
    }

    @Override
    public Durability durability() {
        return disk ? Durability.WRITTEN : Durability.MEMORY;
    }

    @Override
    public GraphStore open(Path folder, boolean indexed) {
        return OrielGraphOpening.open(disk ? folder : null, indexed);
    }
}
