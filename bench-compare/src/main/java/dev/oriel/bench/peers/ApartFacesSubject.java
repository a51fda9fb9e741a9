package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Launch;
import dev.oriel.bench.faces.FacesStore;
import dev.oriel.bench.faces.FacesSubject;
import dev.oriel.bench.faces.FacesWorker;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// A store of rows, edges and entries that runs in a JVM with a class path of its own.
///
/// @param name of the product, of its subject, and of the folder of its module
/// @param options of its JVM
record ApartFacesSubject(
        String name, String settings, Set<Durability> durabilities, List<String> options)
        implements FacesSubject {
    @Override
    public String product() {
        return name;
    }

    @Override
    public List<String> jvmArgs() {
        return options;
    }

    @Override
    public Launch launch() {
        return Apart.onThisJava(name, FacesWorker.class.getName());
    }

    @Override
    public FacesStore open(Path folder, Durability durability) {
        throw new IllegalStateException(name + " runs in a JVM of its own");
    }
}
