package dev.oriel.bench.peers;

import dev.oriel.bench.Launch;
import dev.oriel.bench.graph.GraphWorker;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Launches peers whose jars are in the folder of their own module, a submodule of this one.
final class Apart {
    private static final String RELEASE = "JAVA_VERSION=\"17";
    private static final Path JVMS = Path.of("/usr/lib/jvm");

    private Apart() {}

    static Launch onThisJava(String module) {
        return onThisJava(module, GraphWorker.class.getName());
    }

    /// @param main the main class, which takes the arguments of a worker
    static Launch onThisJava(String module, String main) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new Launch(java, classPath(module), main, "");
    }

    static Launch onJava17(String module) {
        for (Path home : homes()) {
            if (is17(home)) {
                Path java = home.resolve("bin").resolve("java");
                return new Launch(java, classPath(module), GraphWorker.class.getName(), "");
            }
        }
        return new Launch(
                Path.of("java"),
                "",
                GraphWorker.class.getName(),
                "It needs a JDK 17, and there is none in JAVA17_HOME, on the PATH or in "
                        + JVMS
                        + "; install one, or set JAVA17_HOME");
    }

    /// Possible homes of a JDK: JAVA17_HOME, the system's usual folder, and the PATH.
    private static List<Path> homes() {
        List<Path> homes = new ArrayList<>();
        String said = System.getenv("JAVA17_HOME");
        if (said != null) {
            homes.add(Path.of(said));
        }
        try {
            if (Files.isDirectory(JVMS)) {
                try (Stream<Path> installed = Files.list(JVMS)) {
                    homes.addAll(installed.sorted().toList());
                }
            }
            String path = System.getenv("PATH");
            for (String folder : (path == null ? "" : path).split(File.pathSeparator, -1)) {
                Path java = Path.of(folder).resolve("java");
                if (Files.isExecutable(java)) {
                    Path bin = java.toRealPath().getParent();
                    if (bin != null && bin.getParent() != null) {
                        homes.add(bin.getParent());
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return homes;
    }

    private static boolean is17(Path home) {
        Path release = home.resolve("release");
        try {
            return Files.isExecutable(home.resolve("bin").resolve("java"))
                    && Files.isReadable(release)
                    && Files.readString(release).contains(RELEASE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The classes and jars of a module built by the same build as this one.
    private static String classPath(String module) {
        Path built = target();
        Path at = built;
        while (at != null && !at.endsWith("target")) {
            at = at.getParent();
        }
        if (at == null || at.getParent() == null) {
            throw new IllegalStateException("The peers are not in a folder of a build: " + built);
        }
        Path home = at.getParent();
        Path theirs = home.resolve(module).resolve(home.relativize(built));
        return theirs.resolve("classes") + File.pathSeparator + theirs.resolve("lib") + "/*";
    }

    /// The build folder of this module.
    private static Path target() {
        try {
            Path classes =
                    Path.of(
                            Apart.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
            Path parent = classes.toAbsolutePath().getParent();
            if (parent == null) {
                throw new IllegalStateException("No folder holds " + classes);
            }
            return parent;
        } catch (URISyntaxException e) {
            throw new IllegalStateException("A class path entry is no path", e);
        }
    }
}
