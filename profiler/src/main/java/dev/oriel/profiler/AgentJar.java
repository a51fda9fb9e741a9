package dev.oriel.profiler;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/// The jar of the profiler, for starting a JVM with the [Agent] in it.
public final class AgentJar {
    /// Options of a JVM that is sampled. Without them the compiler tells the method and line of a sample only at calls
    /// and at the ends of loops. Then a method compiled into its caller seems to be its caller.
    public static final List<String> EXACT_FRAMES =
            List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");

    private AgentJar() {}

    /// The jar that the profiler runs from. If it runs from a folder of classes, they are packed into a jar in
    /// `folder`.
    ///
    /// @throws IOException if it cannot be found or packed
    public static Path in(Path folder) throws IOException {
        Path place;
        try {
            place =
                    Path.of(
                            Agent.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
        } catch (URISyntaxException e) {
            throw new IOException("The location of the profiler is not a path", e);
        }
        if (!Files.isDirectory(place)) {
            return place.toAbsolutePath();
        }
        Path jar = folder.resolve("oriel-profiler.jar");
        if (!Files.exists(jar)) {
            pack(place, jar);
        }
        return jar.toAbsolutePath();
    }

    private static void pack(Path classes, Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", Agent.class.getName());
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        List<Path> files;
        try (Stream<Path> all = Files.walk(classes)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out, manifest)) {
            for (Path file : files) {
                String name = classes.relativize(file).toString().replace('\\', '/');
                if (!name.equals("META-INF/MANIFEST.MF")) {
                    packed.putNextEntry(new JarEntry(name));
                    Files.copy(file, packed);
                }
            }
        }
    }
}
