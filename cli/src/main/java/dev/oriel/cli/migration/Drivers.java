package dev.oriel.cli.migration;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds the driver of a product and connects with it. It is on the class path, in the jars of the user, or in
/// the local Maven repository.
final class Drivers {
    private static final String DERBY_LOG = "derby.stream.error.field";

    /// The flag SQLITE_OPEN_READWRITE: a missing file is not created.
    private static final String SQLITE_WITHOUT_CREATE = "2";

    private Drivers() {}

    /// @param jars jars of the user; perhaps none
    /// @throws MigrationException if there is no driver for `url`
    static Connection connect(Product product, String url, Properties properties, List<Path> jars)
            throws SQLException, MigrationException {
        if (product == Product.DERBY && System.getProperty(DERBY_LOG) == null) {
            // Otherwise Derby writes a file into the current folder.
            System.setProperty(DERBY_LOG, "java.lang.System.err");
        }
        if (product == Product.SQLITE) {
            properties.setProperty("open_mode", SQLITE_WITHOUT_CREATE);
        }
        Driver driver = find(product, url, jars);
        Connection connection = driver.connect(url, properties);
        if (connection == null) {
            throw new MigrationException(
                    "the driver does not know the address " + url + "; look at its beginning");
        }
        return connection;
    }

    private static Driver find(Product product, String url, List<Path> jars)
            throws SQLException, MigrationException {
        for (List<Path> path : List.of(List.<Path>of(), jars, published(product))) {
            Driver driver = load(path, url);
            if (driver != null) {
                return driver;
            }
        }
        throw new MigrationException(
                "there is no driver for "
                        + url
                        + "; name its jar with --driver (it is published as "
                        + product.artifact.replace('/', '.')
                        + ")");
    }

    private static @Nullable Driver load(List<Path> jars, String url)
            throws SQLException, MigrationException {
        ClassLoader loader = Drivers.class.getClassLoader();
        if (!jars.isEmpty()) {
            // Never closed: the driver loads classes at any time.
            loader = new URLClassLoader(urls(jars), loader);
        }
        for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
            if (!driver.getClass().getName().startsWith("dev.oriel.") && driver.acceptsURL(url)) {
                return driver;
            }
        }
        return null;
    }

    private static URL[] urls(List<Path> jars) throws MigrationException {
        URL[] urls = new URL[jars.size()];
        for (int i = 0; i < urls.length; i++) {
            Path jar = jars.get(i);
            if (!Files.isRegularFile(jar)) {
                throw new MigrationException("there is no jar " + jar);
            }
            try {
                urls[i] = jar.toUri().toURL();
            } catch (IOException e) {
                throw new MigrationException(jar + " cannot be used as a jar: " + e.getMessage());
            }
        }
        return urls;
    }

    /// Returns the newest jars of the product in the local Maven repository, with the additional jar of Derby.
    private static List<Path> published(Product product) throws MigrationException {
        List<Path> jars = new ArrayList<>();
        Path repository = Path.of(System.getProperty("user.home"), ".m2", "repository");
        for (String artifact :
                product == Product.DERBY
                        ? List.of(product.artifact, "org/apache/derby/derbyshared")
                        : List.of(product.artifact)) {
            newest(repository.resolve(artifact)).ifPresent(jars::add);
        }
        return jars;
    }

    private static Optional<Path> newest(Path artifact) throws MigrationException {
        if (!Files.isDirectory(artifact)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.walk(artifact, 2)) {
            return files.filter(
                            file -> {
                                Path version = file.getParent();
                                return version != null
                                        && file.endsWith(
                                                artifact.getFileName()
                                                        + "-"
                                                        + version.getFileName()
                                                        + ".jar");
                            })
                    .max(Comparator.comparingLong(file -> file.toFile().lastModified()));
        } catch (IOException e) {
            throw new MigrationException(artifact + " cannot be read: " + e.getMessage());
        }
    }
}
