package dev.oriel.sql;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.GoldenScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class GoldenTest {
    private final TestDatabase database = new TestDatabase();

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    @TestFactory
    Stream<DynamicTest> expressions() throws IOException {
        return GoldenScript.tests("expressions", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> nonFinite() throws IOException {
        return GoldenScript.tests("non-finite", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> triggers() throws IOException {
        return GoldenScript.tests("triggers", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> procedures() throws IOException {
        return GoldenScript.tests("procedures", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> bits() throws IOException {
        return GoldenScript.tests("bits", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> analyticForms() throws IOException {
        return GoldenScript.tests("analytic-forms", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> otherDialects() throws IOException {
        return GoldenScript.tests("other-dialects", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> h2Functions() throws IOException {
        return GoldenScript.tests("h2-functions", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> h2Forms() throws IOException {
        return GoldenScript.tests("h2-forms", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> versions() throws IOException {
        return GoldenScript.tests("versions", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> timeZones() throws IOException {
        emptyFolder("zone-files");
        return GoldenScript.tests("time-zones", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> definitionsOfH2() throws IOException {
        return GoldenScript.tests("h2-definitions", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> timesWithZones() throws IOException {
        return GoldenScript.tests("times-with-zones", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> textsWithoutCase() throws IOException {
        return GoldenScript.tests("ignorecase", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> deferredKeys() throws IOException {
        return GoldenScript.tests("deferred-keys", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> updatableViews() throws IOException {
        emptyFolder("view-files");
        return GoldenScript.tests("updatable-views", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> partitions() throws IOException {
        emptyFolder("partition-files");
        return GoldenScript.tests("partitions", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> partitionParts() throws IOException {
        return GoldenScript.tests("partition-parts", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> materializedViews() throws IOException {
        return GoldenScript.tests("materialized-views", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> compositeTypes() throws IOException {
        return GoldenScript.tests("composite-types", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> temporary() throws IOException {
        return GoldenScript.tests("temporary", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> withChanges() throws IOException {
        return GoldenScript.tests("with-changes", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> sqlFunctions() throws IOException {
        return GoldenScript.tests("sql-functions", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> schemas() throws IOException {
        return GoldenScript.tests("schemas", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> pgCatalog() throws IOException {
        return GoldenScript.tests("pg-catalog", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> generators() throws IOException {
        return GoldenScript.tests("pg-generators", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> settings() throws IOException {
        return GoldenScript.tests("settings", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> selectedRows() throws IOException {
        return GoldenScript.tests("selected-rows", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> namedStatements() throws IOException {
        return GoldenScript.tests("named-statements", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> dateForms() throws IOException {
        return GoldenScript.tests("date-forms", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> errors() throws IOException {
        return GoldenScript.tests("errors", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> plans() throws IOException {
        return GoldenScript.tests("plans", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> meanings() throws IOException {
        return GoldenScript.tests("meanings", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> indexes() throws IOException {
        return GoldenScript.tests("indexes", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> rewrites() throws IOException {
        return GoldenScript.tests("rewrites", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> queries() throws IOException {
        return GoldenScript.tests("queries", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> changes() throws IOException {
        return GoldenScript.tests("changes", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> definitions() throws IOException {
        return GoldenScript.tests("definitions", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> graphs() throws IOException {
        return GoldenScript.tests("graphs", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> transactions() throws IOException {
        return GoldenScript.tests("transactions", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> joins() throws IOException {
        return GoldenScript.tests("joins", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> statistics() throws IOException {
        return GoldenScript.tests("statistics", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> nested() throws IOException {
        return GoldenScript.tests("nested", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> subqueries() throws IOException {
        return GoldenScript.tests("subqueries", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> windows() throws IOException {
        return GoldenScript.tests("windows", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> grouping() throws IOException {
        return GoldenScript.tests("grouping", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> rows() throws IOException {
        return GoldenScript.tests("rows", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> functions() throws IOException {
        return GoldenScript.tests("functions", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> postgresql() throws IOException {
        return GoldenScript.tests("postgresql", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> dialect() throws IOException {
        return GoldenScript.tests("dialect", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> constraints() throws IOException {
        return GoldenScript.tests("constraints", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> sequences() throws IOException {
        return GoldenScript.tests("sequences", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> changing() throws IOException {
        return GoldenScript.tests("changing", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> alterations() throws IOException {
        return GoldenScript.tests("alterations", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> views() throws IOException {
        return GoldenScript.tests("views", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> schema() throws IOException {
        return GoldenScript.tests("schema", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> json() throws IOException {
        return GoldenScript.tests("json", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> jsonPaths() throws IOException {
        return GoldenScript.tests("json-paths", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> arrays() throws IOException {
        return GoldenScript.tests("arrays", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> postgresqlFunctions() throws IOException {
        return GoldenScript.tests("postgresql-functions", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> types() throws IOException {
        return GoldenScript.tests("types", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> intervals() throws IOException {
        return GoldenScript.tests("intervals", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> comments() throws IOException {
        return GoldenScript.tests("comments", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> copy() throws IOException {
        emptyFolder("copy-files");
        return GoldenScript.tests("copy", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> external() throws IOException {
        emptyFolder("external-files");
        return GoldenScript.tests("external", database::answer);
    }

    /// Creates and empties a folder for the files of a script, which calls it `target/NAME`.
    private static void emptyFolder(String name) throws IOException {
        Path folder = Files.createDirectories(Path.of("target", name));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }
}
