package dev.oriel.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/// Has a native image keep the driver, which is found by its name.
final class OrielHints implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.reflection()
                .registerTypeIfPresent(
                        loader, "dev.oriel.OrielDriver", MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
        hints.resources().registerPattern("META-INF/services/java.sql.Driver");
    }
}
