package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests of applications whose class path has no module for tests of JDBC.
final class WithoutTestModulesTest {
    /// The class path of this test without Spring Boot's module for tests of JDBC.
    private static final class Without extends URLClassLoader {
        Without(List<URL> path) {
            super(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("org.springframework.boot.jdbc.test.")) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }

    @Test
    void factoryNeedsNoModuleForTestsOfJdbc() throws Exception {
        List<URL> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            path.add(Path.of(entry).toUri().toURL());
        }
        try (Without loader = new Without(path)) {
            Class<?> type = loader.loadClass(OrielTestDatabase.class.getName());
            Object factory = type.getConstructor().newInstance();
            assertNull(
                    type.getMethod("createContextCustomizer", Class.class, List.class)
                            .invoke(factory, Object.class, List.of()));
        }
    }
}
