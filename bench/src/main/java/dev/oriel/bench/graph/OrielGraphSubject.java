package dev.oriel.bench.graph;

import dev.oriel.bench.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Our graph. Names no class of the engine, so that it can be listed if the engine is absent.
///
/// @param disk on the disk, else in memory
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
        return "Oriel, this working tree: declared schema, primary key where the name is one, "
                + (disk ? "defaults but for the durability" : "in memory")
                + "; its Java API, whose countPaths goes on from a vertex once however often it was reached:"
                + " hops/2 and hops/3 are less work for it than for who is walked path by path, paths/2 is"
                + " the same for all";
    }

    @Override
    public List<Durability> durabilities() {
        return disk ? List.of(Durability.WRITTEN, Durability.SYNC) : List.of(Durability.MEMORY);
    }

    @Override
    public GraphStore open(Path folder, GraphShape shape, Durability durability) {
        return OrielGraphOpening.open(folder, shape, durability);
    }

    @Override
    public boolean load(Path folder, Path people, Path edges) throws IOException {
        OrielGraphOpening.load(folder, people, edges);
        return true;
    }

    @Override
    public boolean load(Path folder, ReadGraph graph) {
        OrielGraphOpening.load(folder, graph);
        return true;
    }

    @Override
    public LinkStore openLinks(Path folder, Durability durability) {
        return OrielGraphOpening.openLinks(folder, durability);
    }
}
