package dev.oriel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a measurement in a JVM with one product's jars alone relies on.
class CatalogTest {
    /// A peer's memory is measured in a JVM that has none of our engine's classes.
    @Test
    void namesAllSubjectsWithoutTheEngine() throws Exception {
        Path home = Jars.of(Catalog.class);
        long ours =
                new Catalog()
                        .subjects().stream()
                                .filter(subject -> Jars.of(subject.getClass()).equals(home))
                                .count();
        URL here = home.toUri().toURL();
        try (URLClassLoader alone =
                new URLClassLoader(new URL[] {here}, ClassLoader.getPlatformClassLoader())) {
            Thread thread = Thread.currentThread();
            ClassLoader usual = thread.getContextClassLoader();
            thread.setContextClassLoader(alone); // where ServiceLoader looks
            try {
                Class<?> catalog = alone.loadClass(Catalog.class.getName());
                var make = catalog.getDeclaredConstructor();
                make.setAccessible(true);
                var subjects = catalog.getDeclaredMethod("subjects");
                subjects.setAccessible(true);
                List<?> found = (List<?>) subjects.invoke(make.newInstance());
                assertEquals(ours, found.size());
            } finally {
                thread.setContextClassLoader(usual);
            }
        }
    }
}
