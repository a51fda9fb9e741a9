package dev.oriel.cli;

import dev.oriel.server.ProductVersion;
import picocli.CommandLine.IVersionProvider;

/// Output of `--version`: Oriel, the JVM, the system.
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"Oriel " + ProductVersion.number(), machine()};
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
