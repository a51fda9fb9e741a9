package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A report by SchemaSpy, a program of its own, with the queries of oriel.properties. */
class SchemaSpyTest {
    private static final List<String> DEFINITIONS =
            List.of(
                    "CREATE SCHEMA \"Shop\"",
                    "CREATE TABLE \"Shop\".\"Customer\" (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                            + " name VARCHAR(40) NOT NULL UNIQUE)",
                    "CREATE TABLE \"Shop\".sale (customer BIGINT, no INT, price DECIMAL(8, 2) CONSTRAINT paid"
                            + " CHECK (price >= 0), PRIMARY KEY (customer, no), CONSTRAINT sold_to FOREIGN KEY"
                            + " (customer) REFERENCES \"Shop\".\"Customer\" ON DELETE CASCADE)",
                    "CREATE INDEX dearest ON \"Shop\".sale (price DESC)",
                    "CREATE VIEW \"Shop\".turnover AS SELECT customer, sum(price) AS total FROM \"Shop\".sale"
                            + " GROUP BY customer",
                    "CREATE MATERIALIZED VIEW \"Shop\".kept AS SELECT count(*) AS sales FROM \"Shop\".sale",
                    "CREATE SEQUENCE \"Shop\".receipts START WITH 10 INCREMENT BY 5",
                    "CREATE FUNCTION \"Shop\".twice(x INT) RETURNS INT RETURN x * 2",
                    "COMMENT ON TABLE \"Shop\".sale IS 'What was sold'",
                    "COMMENT ON COLUMN \"Shop\".\"Customer\".name IS 'as spoken'",
                    "COMMENT ON SCHEMA \"Shop\" IS 'All about sales'");

    @TempDir private Path folder;

    @Test
    void theReportIsComplete() throws Exception {
        String database = folder.resolve("shop").toString();
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:" + database);
                Statement statement = connection.createStatement()) {
            for (String definition : DEFINITIONS) {
                statement.execute(definition);
            }
        }
        Path report = folder.resolve("report");
        Path log = folder.resolve("log.txt");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                "org.schemaspy.Main",
                                "-t",
                                "src/test/resources/oriel.properties",
                                "-db",
                                database,
                                "-cat",
                                "%",
                                "-s",
                                "Shop",
                                "-sso",
                                "-vizjs",
                                "-norows",
                                "-o",
                                report.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            assertTrue(process.waitFor(5, TimeUnit.MINUTES), "SchemaSpy does not end");
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(log);
        assertEquals(0, process.exitValue(), said);
        assertTrue(said.lines().noneMatch(line -> line.contains("ERROR") || line.contains("Failed")), said);

        shows(report.resolve("index.html"), "Customer", "sale", "turnover", "kept", "All about sales");
        shows(report.resolve("columns.html"), "as spoken", "customer", "total");
        shows(report.resolve("constraints.html"), "sold_to", "paid", "price &gt;");
        shows(report.resolve("routines.html"), "twice");
        shows(report.resolve("tables/sale.html"), "What was sold", "sale_pkey", "dearest", "Customer");
        shows(report.resolve("tables/turnover.html"), "sum(price)");
        shows(report.resolve("tables/kept.html"), "count(*)");
        String xml;
        try (var files = Files.list(report)) {
            xml = Files.readString(files.filter(file -> file.toString().endsWith(".xml")).findFirst().orElseThrow());
        }
        assertTrue(xml.contains("<sequence increment=\"5\" name=\"receipts\" startValue=\"10\"/>"), xml);
        System.out.println("SchemaSpy's report: " + (xml.split("<table ", -1).length - 1) + " tables");
    }

    private static void shows(Path page, String... texts) throws Exception {
        String html = Files.readString(page);
        for (String text : texts) {
            assertTrue(html.contains(text), page.getFileName() + " lacks " + text + ": " + html);
        }
    }
}
