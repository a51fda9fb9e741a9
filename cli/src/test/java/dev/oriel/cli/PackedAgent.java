package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.profiler.Probe;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/// The agent as a release has it, in a jar, and small programs to run under it.
final class PackedAgent {
    private PackedAgent() {}

    /// Packs the profiler's classes where they are not in a jar yet, and names it to the command by
    /// the property `oriel.agent`, which the test clears.
    static void in(Path folder) throws IOException, URISyntaxException {
        Path classes = classes();
        if (Files.isRegularFile(classes)) {
            return;
        }
        Path jar = folder.resolve("agent.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", "dev.oriel.profiler.Agent");
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        pack(classes, jar, manifest);
        System.setProperty("oriel.agent", jar.toString());
    }

    /// A jar of all that lies in a folder.
    static void pack(Path classes, Path jar, Manifest manifest) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out, manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                packed.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                packed.write(Files.readAllBytes(file));
                packed.closeEntry();
            }
        }
    }

    /// Compiles with all warnings, which are errors, into a folder.
    static Path compile(Path into, List<Path> sources) throws IOException {
        ToolProvider compiler = ToolProvider.findFirst("javac").orElseThrow();
        StringWriter messages = new StringWriter();
        Files.createDirectories(into);
        List<String> arguments = new ArrayList<>();
        try {
            String classes = classes().toString();
            arguments.addAll(List.of("-Xlint:all", "-Werror", "-proc:none"));
            arguments.addAll(List.of("-d", into.toString(), "-cp", classes));
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
        sources.forEach(source -> arguments.add(source.toString()));
        PrintWriter out = new PrintWriter(messages, true);
        int status = compiler.run(out, out, arguments.toArray(String[]::new));
        assertEquals(0, status, messages::toString);
        return into;
    }

    private static Path classes() throws URISyntaxException {
        return Path.of(Probe.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
