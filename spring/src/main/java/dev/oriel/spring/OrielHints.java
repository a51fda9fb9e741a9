package dev.oriel.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/// Has a native image keep the driver and the dialect, which are found by their names.
final class OrielHints implements RuntimeHintsRegistrar {
    private static final String[] TYPES = {
        "dev.oriel.OrielDriver",
        "dev.oriel.hibernate.OrielDialect",
        "dev.oriel.hibernate.OrielDialectResolver"
    };

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        for (String type : TYPES) {
            hints.reflection()
                    .registerTypeIfPresent(loader, type, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
        }
        hints.resources()
                .registerPattern("META-INF/services/java.sql.Driver")
                .registerPattern(
                        "META-INF/services/org.hibernate.engine.jdbc.dialect.spi.DialectResolver");
    }
}
