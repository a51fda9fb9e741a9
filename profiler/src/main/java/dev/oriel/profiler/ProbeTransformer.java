package dev.oriel.profiler;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Puts probes into classes as the JVM loads them ([ProbeWeaver]).
///
/// A class is woven if its loader finds the same [Probe] as this class is compiled with, and its module can be
/// made to read the profiler's. The JDK's own loaders are passed over. If weaving fails, the class is loaded as it
/// was, and the reason is reported once. Thread-safe.
final class ProbeTransformer implements ClassFileTransformer {
    private static final byte[] WATCHED =
            Watched.class.descriptorString().getBytes(StandardCharsets.US_ASCII);
    private static final String OWN = Probe.class.getPackageName();

    /// Options of the agent; null while no class gets a probe.
    private volatile @Nullable AgentOptions options;

    private final @Nullable Instrumentation instrumentation;
    private final Consumer<String> complaints;
    private final Set<ClassLoader> blind =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    private final Set<String> woven = ConcurrentHashMap.newKeySet();

    /// Methods left out of all options, as `class.method`.
    private final Set<String> leftOut = ConcurrentHashMap.newKeySet();

    /// `instrumentation` is null in tests, whose modules already read the profiler's.
    ProbeTransformer(
            AgentOptions options,
            @Nullable Instrumentation instrumentation,
            Consumer<String> complaints) {
        this.options = options;
        this.instrumentation = instrumentation;
        this.complaints = complaints;
    }

    /// Changes the methods that get probes, for classes loaded or transformed from now on; null for none at all.
    void use(@Nullable AgentOptions other) {
        options = other;
        leftOut.clear();
    }

    /// Leaves methods out, given as `class.method`, for classes transformed from now on; returns the classes that
    /// have probes in them now.
    Set<String> leaveOut(Set<String> methods) {
        leftOut.addAll(methods);
        Set<String> classes = owners(methods);
        classes.retainAll(woven);
        return classes;
    }

    /// Leaves nothing out any longer; returns the classes with methods that were left out.
    Set<String> restore() {
        Set<String> classes = owners(leftOut);
        leftOut.clear();
        return classes;
    }

    private static Set<String> owners(Set<String> methods) {
        Set<String> classes = new HashSet<>();
        for (String method : methods) {
            classes.add(method.substring(0, Math.max(0, method.lastIndexOf('.'))));
        }
        return classes;
    }

    /// Whether no class gets a probe.
    boolean isOff() {
        return options == null;
    }

    /// The classes that have probes.
    List<String> wovenNames() {
        return List.copyOf(woven);
    }

    /// Whether a class of that name has probes, or would get some.
    boolean concernsNow(String className) {
        AgentOptions known = options;
        return woven.contains(className) || (known != null && known.mayInclude(className));
    }

    /// Number of classes that have probes.
    int wovenClasses() {
        return woven.size();
    }

    /// Whether the transformer considers a class of this loader at all.
    static boolean concerns(@Nullable ClassLoader loader, String className) {
        return loader != null
                && !loader.equals(ClassLoader.getPlatformClassLoader())
                && !(className.startsWith(OWN) && className.lastIndexOf('.') == OWN.length());
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable Module module,
            @Nullable ClassLoader loader,
            @Nullable String internalName,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (internalName == null || loader == null) {
            return null;
        }
        String className = internalName.replace('/', '.');
        AgentOptions options = this.options;
        woven.remove(className);
        if (options == null
                || !concerns(loader, className)
                || !(options.mayInclude(className) || contains(bytes, WATCHED))) {
            return null;
        }
        try {
            byte[] woven = new ProbeWeaver(options, leftOut, loader, bytes).weave();
            if (woven == null || !sees(loader)) {
                return null;
            }
            if (module != null) {
                letRead(module);
            }
            this.woven.add(className);
            return woven;
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            complaints.accept("No probes in " + className + ": " + reason(e));
            return null;
        }
    }

    private boolean sees(ClassLoader loader) {
        if (blind.contains(loader)) {
            return false;
        }
        boolean same;
        try {
            same = loader.loadClass(Probe.class.getName()) == Probe.class;
        } catch (ClassNotFoundException | LinkageError e) {
            same = false;
        }
        if (!same && blind.add(loader)) {
            complaints.accept(
                    "No probes in classes of "
                            + (loader.getName() == null ? loader : loader.getName())
                            + ": it does not find "
                            + Probe.class.getName()
                            + " of the agent");
        }
        return same;
    }

    private void letRead(Module module) {
        Module own = Probe.class.getModule();
        if (instrumentation != null && !module.canRead(own)) {
            instrumentation.redefineModule(
                    module, Set.of(own), Map.of(), Map.of(), Set.of(), Map.of());
        }
    }

    private static String reason(Throwable e) {
        String message = e.getMessage();
        return message == null || !(e instanceof IllegalArgumentException) ? e.toString() : message;
    }

    private static boolean contains(byte[] bytes, byte[] part) {
        int last = bytes.length - part.length;
        for (int i = 0; i <= last; i++) {
            if (bytes[i] == part[0] && matches(bytes, i, part)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(byte[] bytes, int at, byte[] part) {
        for (int i = 1; i < part.length; i++) {
            if (bytes[at + i] != part[i]) {
                return false;
            }
        }
        return true;
    }
}
