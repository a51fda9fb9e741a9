package dev.oriel.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/// Output of `--version`: Oriel, the JVM, the system.
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        return new String[] {"Oriel " + number(), machine()};
    }

    /// The version of this build.
    static String number() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            if (in == null) {
                throw new IOException("version.properties is missing from the build");
            }
            properties.load(in);
        }
        return properties.getProperty("version", "of an unknown version");
    }

    /// Describes the JVM and its system in one line.
    static String machine() {
        return "%s %s, %s %s, %d processors"
                .formatted(
                        System.getProperty("java.vm.name"),
                        System.getProperty("java.vm.version"),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        Runtime.getRuntime().availableProcessors());
    }
}
