package dev.oriel.redeploy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What an application server does at a redeploy: it drops the class loader of an application, and its threads go
/// on. Nothing that they keep may hold the loader, with all its classes.
///
/// `-Dredeploys=` says how many.
class RedeployTest {
    private static final int REDEPLOYS = Integer.getInteger("redeploys", 3);
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    @Test
    void classLoadersOfClosedApplicationsAreCollected() throws Exception {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int i = 0; i < REDEPLOYS; i++) {
            loaders.add(deploy());
        }
        long began = System.nanoTime();
        while (alive(loaders) > 0 && System.nanoTime() - began < PATIENCE_NANOS) {
            System.gc();
        }
        assertTrue(alive(loaders) == 0, () -> alive(loaders) + " loaders are alive");
    }

    private static long alive(List<WeakReference<ClassLoader>> loaders) {
        return loaders.stream().filter(loader -> loader.get() != null).count();
    }

    private static WeakReference<ClassLoader> deploy() throws Exception {
        try (URLClassLoader loader = new ApplicationLoader(classPath())) {
            Class<?> application = loader.loadClass(Redeployed.class.getName());
            ((Runnable) application.getConstructor().newInstance()).run();
            return new WeakReference<>(loader);
        }
    }

    /// Defines the database's classes itself: the platform's loader would hand out those of this process, if they
    /// are modules.
    private static final class ApplicationLoader extends URLClassLoader {
        ApplicationLoader(URL[] urls) {
            super(urls, ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.oriel.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known != null ? known : findClass(name);
            }
        }
    }

    /// What this process was started with, in whichever way the tests are run.
    private static URL[] classPath() throws Exception {
        Path tests =
                Path.of(
                                URI.create(
                                        String.valueOf(
                                                Redeployed.class.getResource("Redeployed.class"))))
                        .resolve("../../../..")
                        .normalize();
        List<URL> urls = new ArrayList<>();
        urls.add(tests.toUri().toURL());
        List<String> parts =
                Stream.of("jdk.module.path", "java.class.path")
                        .map(name -> System.getProperty(name, ""))
                        .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
                        .filter(part -> !part.isEmpty())
                        .toList();
        for (String part : parts) {
            urls.add(Path.of(part).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }
}
