package dev.oriel.bench;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Which package of the benchmarks may know which; read from the class files.
class ArchitectureTest {
    private static final String ROOT = ArchitectureTest.class.getPackageName();

    /// Bottom up: each may use those before it.
    private static final List<String> PACKAGES =
            List.of(
                    ROOT + ".measure",
                    ROOT,
                    ROOT + ".sql",
                    ROOT + ".axion",
                    ROOT + ".jdbm",
                    ROOT + ".voron",
                    ROOT + ".couchbase",
                    ROOT + ".graph",
                    ROOT + ".faces",
                    ROOT + ".store",
                    ROOT + ".cold",
                    ROOT + ".young",
                    ROOT + ".tpch",
                    ROOT + ".tpcc",
                    ROOT + ".statements",
                    ROOT + ".profiler",
                    ROOT + ".limits",
                    ROOT + ".results",
                    ROOT + ".targets",
                    ROOT + ".report",
                    ROOT + ".run",
                    ROOT + ".gate",
                    ROOT + ".command");

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(location -> !location.contains("test-classes"))
                    .importPackages(ROOT);

    @Test
    void everyPackageHasItsPlaceInTheOrder() {
        assertEquals(
                new TreeSet<>(PACKAGES),
                CLASSES.stream()
                        .map(JavaClass::getPackageName)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void aPackageUsesOnlyThoseBelowIt() {
        for (int i = 0; i < PACKAGES.size() - 1; i++) {
            String[] above = PACKAGES.subList(i + 1, PACKAGES.size()).toArray(new String[0]);
            noClasses()
                    .that(resideInAPackage(PACKAGES.get(i)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(above)
                    .check(CLASSES);
        }
    }
}
