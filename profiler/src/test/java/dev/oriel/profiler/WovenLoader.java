package dev.oriel.profiler;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;

/// Loads the fixtures anew, through a transformer, as the JVM does when an agent is there; whatever
/// else comes from the parent.
final class WovenLoader extends ClassLoader {
    private static final String FIXTURES = "dev.oriel.profiler.fixture.";

    private final ProbeTransformer transformer;
    private final Map<String, Integer> grown = new TreeMap<>();

    WovenLoader(ProbeTransformer transformer) {
        super("woven", WovenLoader.class.getClassLoader());
        this.transformer = transformer;
    }

    /// The classes that were changed, and by how many bytes they grew.
    Map<String, Integer> grown() {
        return grown;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(FIXTURES)) {
            return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/');
        try (InputStream in = getResourceAsStream(file + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            byte[] woven = transformer.transform(getUnnamedModule(), this, file, null, null, bytes);
            if (woven != null) {
                grown.put(name, woven.length - bytes.length);
                bytes = woven;
            }
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
