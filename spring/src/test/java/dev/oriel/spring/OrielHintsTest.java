package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.OrielDataSource;
import dev.oriel.OrielDriver;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.Ordered;
import org.springframework.core.io.support.SpringFactoriesLoader;

class OrielHintsTest {
    OrielHintsTest() {}

    /// As Spring's AOT processing finds the hints.
    private static RuntimeHints hints() {
        RuntimeHints hints = new RuntimeHints();
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                .load(RuntimeHintsRegistrar.class)
                .stream()
                .filter(OrielHints.class::isInstance)
                .forEach(each -> each.registerHints(hints, OrielHintsTest.class.getClassLoader()));
        return hints;
    }

    @Test
    void imageKeepsTheDriverAndTheDialect() {
        RuntimeHints hints = hints();
        assertTrue(
                RuntimeHintsPredicates.reflection()
                        .onType(OrielDriver.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS)
                        .test(hints));
        assertTrue(
                RuntimeHintsPredicates.reflection()
                        .onType(OrielTestDataSource.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)
                        .test(hints));
        assertTrue(
                RuntimeHintsPredicates.resource()
                        .forResource("META-INF/services/java.sql.Driver")
                        .test(hints));
        assertTrue(
                RuntimeHintsPredicates.reflection()
                        .onType(
                                org.springframework.aot.hint.TypeReference.of(
                                        "dev.oriel.hibernate.OrielDialect"))
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS)
                        .test(hints));
        for (String service :
                new String[] {
                    "META-INF/services/org.hibernate.service.spi.ServiceContributor",
                    "META-INF/services/org.hibernate.engine.jdbc.dialect.spi.DialectResolver"
                }) {
            boolean present = OrielHintsTest.class.getClassLoader().getResource(service) != null;
            assertTrue(
                    !present || RuntimeHintsPredicates.resource().forResource(service).test(hints),
                    service);
        }
    }

    /// As if the jar of a plugin were there: each provider of Oriel that it names, and no other.
    @Test
    void imageKeepsThePluginsOfTheClassPath(@TempDir Path folder) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(
                services.resolve("liquibase.database.Database"),
                "# databases\ndev.oriel.OrielDataSource\norg.springframework.core.Ordered\n");
        RuntimeHints hints = new RuntimeHints();
        try (URLClassLoader loader =
                new URLClassLoader(
                        new URL[] {folder.toUri().toURL()},
                        OrielHintsTest.class.getClassLoader())) {
            new OrielHints().registerHints(hints, loader);
        }
        assertTrue(
                RuntimeHintsPredicates.reflection()
                        .onType(OrielDataSource.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS)
                        .test(hints));
        assertFalse(RuntimeHintsPredicates.reflection().onType(Ordered.class).test(hints));
        for (String service :
                new String[] {
                    "META-INF/services/liquibase.database.Database",
                    "META-INF/services/org.flywaydb.core.extensibility.Plugin"
                }) {
            assertTrue(RuntimeHintsPredicates.resource().forResource(service).test(hints), service);
        }
    }
}
