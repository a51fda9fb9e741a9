package dev.oriel.arch;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Which part of the engine may know which, as ARCHITECTURE.md draws it; read from the class files
/// of everything that the command is made of.
class ArchitectureTest {
    /// Bottom up: each may use those before it. The public package comes with its sub-packages
    /// except those of the other layers.
    private static final List<String> LAYERS =
            List.of("io", "store", "table", "sql", "kv", "oriel", "server", "studio", "cli");

    /// Packages of the store bottom up, as above. `dev.oriel.store` itself is its contract.
    private static final List<String> STORE =
            List.of(
                    "dev.oriel.store.memory",
                    "dev.oriel.store",
                    "dev.oriel.store.page",
                    "dev.oriel.store.file",
                    "dev.oriel.store.log",
                    "dev.oriel.store.delta",
                    "dev.oriel.store.version",
                    "dev.oriel.store.data",
                    "dev.oriel.store.tree",
                    "dev.oriel.store.checkpoint",
                    "dev.oriel.store.lock",
                    "dev.oriel.store.transaction",
                    "dev.oriel.store.sort",
                    "dev.oriel.store.maintenance",
                    "dev.oriel.store.engine",
                    "dev.oriel.store.records");

    /// Packages of the table layer bottom up, as above. `dev.oriel.table` itself is its contract.
    private static final List<String> TABLE =
            List.of(
                    "dev.oriel.table.definition",
                    "dev.oriel.table.value",
                    "dev.oriel.table.key",
                    "dev.oriel.table.row",
                    "dev.oriel.table.expiry",
                    "dev.oriel.table.array",
                    "dev.oriel.table",
                    "dev.oriel.table.schema",
                    "dev.oriel.table.statistics",
                    "dev.oriel.table.transaction",
                    "dev.oriel.table.maintenance",
                    "dev.oriel.table.engine");

    /// Bottom up, as above.
    private static final List<String> SQL =
            List.of(
                    "cancel", "text", "value", "measure", "syntax", "json", "file", "rows", "plan",
                    "planner", "bind", "run", "change", "define", "dump", "watch", "engine");

    /// Bottom up, as above. `dev.oriel.graph` itself stands above all of them.
    private static final List<String> GRAPH =
            List.of(
                    "memory",
                    "value",
                    "catalog",
                    "range",
                    "element",
                    "transaction",
                    "tables",
                    "traversal",
                    "schema",
                    "algorithm",
                    "computer",
                    "load");

    private static final List<String> ENGINE =
            List.of("io", "profiler", "store", "table", "sql", "kv", "oriel");

    private static final Pattern PACKAGE = Pattern.compile("dev\\.oriel(?:\\.([a-z]+))?.*");

    private static final Set<String> WITHOUT_CLOCK_OR_CHANCE =
            Set.of(
                    "java.lang.System.nanoTime",
                    "java.lang.System.currentTimeMillis",
                    "java.lang.Math.random",
                    "java.time.Instant.now",
                    "java.time.Clock.systemUTC",
                    "java.util.UUID.randomUUID",
                    "java.util.Random.<init>",
                    "java.util.SplittableRandom.<init>",
                    "java.util.concurrent.ThreadLocalRandom.current");

    private static final Pattern VAGUE_NAME =
            Pattern.compile(".*(Manager|Helper|Utils?|Impl|Info|Data)|(Abstract|Base)[A-Z].*");

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(location -> !location.contains("test-classes"))
                    .importPackages("dev.oriel");

    @Test
    void everyLayerIsLookedAt() {
        for (String layer : LAYERS) {
            assertFalse(CLASSES.that(in(layer)).isEmpty(), layer);
        }
        assertFalse(CLASSES.that(in("profiler")).isEmpty(), "profiler");
        assertFalse(CLASSES.that(in("compare")).isEmpty(), "compare");
    }

    @Test
    void aLayerUsesOnlyThoseBelowIt() {
        for (int i = 0; i < LAYERS.size() - 1; i++) {
            for (String above : LAYERS.subList(i + 1, LAYERS.size())) {
                noClasses()
                        .that(in(LAYERS.get(i)))
                        .should()
                        .dependOnClassesThat(in(above))
                        .check(CLASSES);
            }
        }
    }

    @Test
    void aPackageOfTheStoreUsesOnlyThoseBelowIt() {
        assertPointsDown(STORE);
    }

    @Test
    void aPackageOfTheTableLayerUsesOnlyThoseBelowIt() {
        assertPointsDown(TABLE);
    }

    private static void assertPointsDown(List<String> packages) {
        for (int i = 0; i < packages.size(); i++) {
            assertFalse(CLASSES.that(resideInAPackage(packages.get(i))).isEmpty(), packages.get(i));
            for (String above : packages.subList(i + 1, packages.size())) {
                noClasses()
                        .that(resideInAPackage(packages.get(i)))
                        .should()
                        .dependOnClassesThat(resideInAPackage(above))
                        .check(CLASSES);
            }
        }
    }

    @Test
    void aPackageOfSqlUsesOnlyThoseBelowIt() {
        for (int i = 0; i < SQL.size() - 1; i++) {
            assertFalse(
                    CLASSES.that(resideInAPackage("dev.oriel.sql." + SQL.get(i))).isEmpty(),
                    SQL.get(i));
            for (String above : SQL.subList(i + 1, SQL.size())) {
                noClasses()
                        .that(resideInAPackage("dev.oriel.sql." + SQL.get(i)))
                        .or(resideInAPackage("dev.oriel.sql"))
                        .should()
                        .dependOnClassesThat(resideInAPackage("dev.oriel.sql." + above))
                        .check(CLASSES);
            }
        }
    }

    @Test
    void aPackageOfTheGraphUsesOnlyThoseBelowIt() {
        for (int i = 0; i < GRAPH.size(); i++) {
            String own = "dev.oriel.graph." + GRAPH.get(i);
            assertFalse(CLASSES.that(resideInAPackage(own)).isEmpty(), own);
            noClasses()
                    .that(resideInAPackage(own))
                    .should()
                    .dependOnClassesThat(resideInAPackage("dev.oriel.graph"))
                    .check(CLASSES);
            for (String above : GRAPH.subList(i + 1, GRAPH.size())) {
                noClasses()
                        .that(resideInAPackage(own))
                        .should()
                        .dependOnClassesThat(resideInAPackage("dev.oriel.graph." + above))
                        .check(CLASSES);
            }
        }
    }

    /// Beside each other on the tables, and neither above the other.
    @Test
    void languagesDoNotKnowEachOther() {
        noClasses().that(in("kv")).should().dependOnClassesThat(in("sql")).check(CLASSES);
    }

    @Test
    void theGraphStandsOnTablesAndNotOnSql() {
        assertFalse(CLASSES.that(in("graph")).isEmpty(), "graph");
        noClasses()
                .that(in("graph"))
                .should()
                .dependOnClassesThat(in("sql").or(in("cli")).or(in("io")))
                .check(CLASSES);
        noClasses()
                .that(not(in("graph")).and(not(in("studio"))).and(not(in("cli"))))
                .should()
                .dependOnClassesThat(in("graph"))
                .check(CLASSES);
    }

    @Test
    void theProfilerKnowsNoLayer() {
        noClasses()
                .that(in("profiler"))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.oriel..").and(not(in("profiler"))))
                .check(CLASSES);
    }

    @Test
    void comparingKnowsTheProfilerAndNoLayer() {
        noClasses()
                .that(in("compare"))
                .should()
                .dependOnClassesThat(
                        resideInAPackage("dev.oriel..")
                                .and(not(in("compare")))
                                .and(not(in("profiler"))))
                .check(CLASSES);
    }

    @Test
    void theTestkitIsForTestsAlone() {
        noClasses()
                .that(not(in("testkit")))
                .should()
                .dependOnClassesThat(in("testkit"))
                .check(CLASSES);
    }

    @Test
    void noPackagesDependOnEachOtherInACircle() {
        slices().assignedFrom(packages()).should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void theEngineDependsOnNothingButTheJdk() {
        classes()
                .that(inAnyOf(ENGINE))
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(
                                "dev.oriel..",
                                "java..",
                                "javax.management..",
                                "javax.sql..",
                                "jdk.jfr..",
                                "org.jspecify.annotations.."))
                .check(CLASSES);
    }

    /// `Store` puts the pieces together and hands the real ones in; nothing else may reach for them.
    /// A default like `System::nanoTime` is no call, nor is the one in the class that the build makes of it.
    @Test
    void theStoreTakesItsClockAndItsRandomnessFromOutside() {
        noClasses()
                .that(
                        in("store")
                                .and(not(type("dev.oriel.store.engine.Store")))
                                .and(not(ofLambda())))
                .should()
                .callCodeUnitWhere(
                        DescribedPredicate.describe(
                                "the target is a clock or a source of randomness",
                                (JavaCall<?> call) ->
                                        WITHOUT_CLOCK_OR_CHANCE.contains(
                                                call.getTargetOwner().getName()
                                                        + "."
                                                        + call.getName())))
                .check(CLASSES);
    }

    /// The package com.sun.management is exported and documented by the JDK's module jdk.management.
    @Test
    void nothingReachesIntoTheInternalsOfTheJvm() {
        noClasses()
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("sun..", "jdk.internal..", "com.sun..")
                                .and(not(resideInAPackage("com.sun.management"))))
                .check(CLASSES);
    }

    @Test
    void namesSayWhatATypeIs() {
        noClasses()
                .should(
                        be(
                                DescribedPredicate.describe(
                                        "named like " + VAGUE_NAME, ArchitectureTest::isVague)))
                .check(CLASSES);
    }

    /// A name that the JDK asks for, as `DatabaseMetaData` does, is not ours to better.
    private static boolean isVague(JavaClass type) {
        Matcher vague = VAGUE_NAME.matcher(type.getSimpleName());
        return vague.matches()
                && type.getAllRawInterfaces().stream()
                        .filter(resideInAPackage("java.."))
                        .noneMatch(jdk -> type.getSimpleName().endsWith(jdk.getSimpleName()));
    }

    private static DescribedPredicate<JavaClass> in(String layer) {
        return DescribedPredicate.describe(
                "are in " + layer, type -> layer.equals(layerOf(type.getPackageName())));
    }

    private static DescribedPredicate<JavaClass> ofLambda() {
        return DescribedPredicate.describe(
                "made of a lambda", type -> type.getName().contains("$Lambda$"));
    }

    private static DescribedPredicate<JavaClass> type(String name) {
        return DescribedPredicate.describe(name, type -> type.getName().equals(name));
    }

    private static DescribedPredicate<JavaClass> inAnyOf(List<String> layers) {
        return DescribedPredicate.describe(
                "are in one of " + layers, type -> layers.contains(layerOf(type.getPackageName())));
    }

    /// The layer of a package; packages of no other layer belong to the public module.
    private static String layerOf(String packageName) {
        Matcher matcher = PACKAGE.matcher(packageName);
        if (!matcher.matches()) {
            return "";
        }
        String first = matcher.group(1);
        boolean own =
                first != null
                        && (LAYERS.contains(first)
                                || first.equals("profiler")
                                || first.equals("compare")
                                || first.equals("graph")
                                || first.equals("testkit")
                                || first.equals("bench"));
        return own ? first : "oriel";
    }

    /// `dev.oriel.internal` is the back door of `dev.oriel`, and one with it.
    private static SliceAssignment packages() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return type.getPackageName().startsWith("dev.oriel")
                        ? SliceIdentifier.of(type.getPackageName().replace(".internal", ""))
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "packages";
            }
        };
    }
}
