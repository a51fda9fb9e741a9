package dev.oriel.sql;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.GoldenScript;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Runs the golden scripts with statements that have no memory to keep rows: each row goes to a file at once. The
/// answers, and their order, are the same to the letter.
class SpillGoldenTest {
    private final SimDirectory directory = new SimDirectory();
    private final TestDatabase database = TestDatabase.on(directory, 1);

    @BeforeEach
    void neverAcceptsOutputs() {
        Assumptions.assumeFalse(Boolean.getBoolean("update"));
    }

    @AfterEach
    void closeAndCheck() {
        SpillTest.assertNoFiles(directory);
        database.close();
    }

    @TestFactory
    Stream<DynamicTest> queries() throws IOException {
        return GoldenScript.tests("queries", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> joins() throws IOException {
        return GoldenScript.tests("joins", database::answer);
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
    Stream<DynamicTest> changing() throws IOException {
        return GoldenScript.tests("changing", database::answer);
    }

    @TestFactory
    Stream<DynamicTest> views() throws IOException {
        return GoldenScript.tests("views", database::answer);
    }
}
