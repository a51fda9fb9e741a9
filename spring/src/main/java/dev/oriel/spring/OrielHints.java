package dev.oriel.spring;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/// Makes a native image keep the driver, the dialect, the data source of tests, and the plugins for Flyway and
/// Liquibase, which are found by their names.
final class OrielHints implements RuntimeHintsRegistrar {
    private static final String[] TYPES = {
        "dev.oriel.hibernate.OrielDialect", "dev.oriel.hibernate.OrielDialectResolver"
    };

    private static final List<String> SERVICES =
            List.of(
                    "java.sql.Driver",
                    "org.hibernate.engine.jdbc.dialect.spi.DialectResolver",
                    "org.flywaydb.core.extensibility.Plugin",
                    "liquibase.database.Database",
                    "liquibase.snapshot.SnapshotGenerator",
                    "liquibase.sqlgenerator.SqlGenerator");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        for (String type : TYPES) {
            register(hints, loader, type);
        }
        hints.reflection()
                .registerType(
                        OrielTestDataSource.class,
                        MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS,
                        MemberCategory.INVOKE_PUBLIC_METHODS);
        for (String service : SERVICES) {
            String file = "META-INF/services/" + service;
            hints.resources().registerPattern(file);
            for (String type : own(file, loader)) {
                register(hints, loader, type);
            }
        }
    }

    private static void register(RuntimeHints hints, @Nullable ClassLoader loader, String type) {
        hints.reflection()
                .registerTypeIfPresent(loader, type, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
    }

    /// Oriel's providers that the service files named `file` list.
    private static List<String> own(String file, @Nullable ClassLoader loader) {
        ClassLoader from = loader == null ? ClassLoader.getSystemClassLoader() : loader;
        try {
            return Collections.list(from.getResources(file)).stream()
                    .flatMap(each -> read(each).lines())
                    .map(String::strip)
                    .filter(type -> type.startsWith("dev.oriel."))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(URL file) {
        try (InputStream in = file.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
