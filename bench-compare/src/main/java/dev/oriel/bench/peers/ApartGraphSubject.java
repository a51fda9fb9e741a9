package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Launch;
import dev.oriel.bench.graph.GraphShape;
import dev.oriel.bench.graph.GraphStore;
import dev.oriel.bench.graph.GraphSubject;
import dev.oriel.bench.graph.LinkStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A graph that runs in a JVM with a class path of its own, and so cannot be opened in this one.
///
/// @param name of the product, of its subject, and of the folder of its module
/// @param durabilities its durability classes
/// @param options of its JVM
record ApartGraphSubject(
        String name,
        String settings,
        List<Durability> durabilities,
        List<String> options,
        boolean onJava17)
        implements GraphSubject {
    @Override
    public String product() {
        return name;
    }

    @Override
    public List<String> jvmArgs() {
        List<String> all = new ArrayList<>(options);
        all.add("-Doriel.durability=" + durabilities.getFirst());
        return all;
    }

    @Override
    public Launch launch() {
        return onJava17 ? Apart.onJava17(name) : Apart.onThisJava(name);
    }

    @Override
    public LinkStore openLinks(Path folder, Durability durability) {
        throw apart();
    }

    private IllegalStateException apart() {
        return new IllegalStateException(name + " runs in a JVM of its own");
    }

    @Override
    public GraphStore open(Path folder, GraphShape shape, Durability durability) {
        throw apart();
    }
}
