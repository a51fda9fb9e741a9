package dev.oriel.testkit;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Lets each [SimDirectory] that the thread of a test makes refuse what Windows refuses.
///
/// ```java
/// @ExtendWith(AsOnWindows.class)
/// class WindowsBackupTest extends BackupTest {}
/// ```
public final class AsOnWindows implements BeforeEachCallback, AfterEachCallback {
    private static final ThreadLocal<Boolean> ON = ThreadLocal.withInitial(AsOnWindows::always);

    /// For tests that are extended with it.
    public AsOnWindows() {}

    private static boolean always() {
        return "windows".equals(System.getProperty("sim", ""));
    }

    /// Whether directories made by this thread do so.
    static boolean isOn() {
        return ON.get();
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        ON.set(true);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        ON.remove();
    }
}
