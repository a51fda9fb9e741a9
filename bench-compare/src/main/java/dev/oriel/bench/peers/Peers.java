package dev.oriel.bench.peers;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Utilities shared by the adapters.
final class Peers {
    /// JVM options for peers that access internals of the JDK; each peer takes the options that its documents name.
    static final List<String> OPENS =
            List.of(
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/java.nio=ALL-UNNAMED",
                    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow");

    private Peers() {}

    /// The version of an artifact, after the name of its jar on the class path.
    static String version(String artifact) {
        Pattern jar = Pattern.compile(Pattern.quote(artifact) + "-(\\d.*)\\.jar");
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path name = Path.of(entry).getFileName();
            Matcher matcher = jar.matcher(name == null ? "" : name.toString());
            if (matcher.matches()) {
                return matcher.group(1);
            }
        }
        throw new IllegalStateException(artifact + " is not on the class path");
    }

    /// Size of a peer's own cache: a quarter of the JVM's maximum heap, whether the cache is in the heap or in
    /// native memory.
    static long cacheBytes() {
        return Runtime.getRuntime().maxMemory() / 4;
    }
}
