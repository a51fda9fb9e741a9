package dev.oriel.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/// The version of Oriel, as this build has it: for people and monitoring. Clients get [OrielServer#wireVersion()].
public final class ProductVersion {
    private static final String NUMBER = read();

    private ProductVersion() {}

    /// The version of this build.
    public static String number() {
        return NUMBER;
    }

    private static String read() {
        Properties properties = new Properties();
        try (InputStream in = ProductVersion.class.getResourceAsStream("version.properties")) {
            if (in == null) {
                throw new IllegalStateException("version.properties is missing from the build");
            }
            properties.load(in);
        } catch (IOException e) {
            throw new IllegalStateException("version.properties cannot be read", e);
        }
        return properties.getProperty("version", "unknown");
    }
}
