package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The classes that a fresh JVM loads, in order, and its output.
///
/// @param classes a line of the JVM's log for each
record ClassLoads(List<String> classes, String output) {
    private static final long MINUTES_MAX = 10;

    /// Runs `program` to its end.
    ///
    /// @param folder an empty one
    static ClassLoads of(Class<?> program, String argument, Path folder) throws Exception {
        Path log = folder.resolve("classes.txt");
        Path output = folder.resolve("output.txt");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Xlog:disable",
                                "-Xlog:class+load:file=" + log,
                                "-cp",
                                classPath(),
                                program.getName(),
                                argument)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertTrue(process.waitFor(MINUTES_MAX, TimeUnit.MINUTES), "it does not end");
            String said = Files.readString(output, StandardCharsets.UTF_8);
            assertEquals(0, process.exitValue(), said);
            return new ClassLoads(Files.readAllLines(log, StandardCharsets.UTF_8), said);
        } finally {
            process.destroyForcibly();
        }
    }

    /// Index of the line about `type`.
    int indexOf(Class<?> type) {
        for (int i = 0; i < classes.size(); i++) {
            if (classes.get(i).contains(" " + type.getName() + " ")) {
                return i;
            }
        }
        throw new AssertionError(type + " was not loaded");
    }

    private static String classPath() {
        return Stream.of(
                        ClassLoads.class,
                        Database.class,
                        dev.oriel.sql.engine.Sql.class,
                        dev.oriel.kv.Buckets.class,
                        dev.oriel.table.engine.Tables.class,
                        dev.oriel.store.engine.Store.class,
                        dev.oriel.io.Directory.class,
                        dev.oriel.profiler.Probe.class)
                .map(ClassLoads::root)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    /// Where `type` was loaded from: a folder of classes, or a jar.
    private static String root(Class<?> type) {
        String file = type.getResource(type.getSimpleName() + ".class").toString();
        String name = "/" + type.getName().replace('.', '/') + ".class";
        String place = file.substring(0, file.length() - name.length());
        String url = place.startsWith("jar:") ? place.substring(4, place.length() - 1) : place;
        return Path.of(URI.create(url)).toString();
    }
}
