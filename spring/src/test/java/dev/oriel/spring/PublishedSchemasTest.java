package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.EncodedResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/// Scripts for H2, PostgreSQL and HSQLDB as other projects publish them, run unchanged.
class PublishedSchemasTest {
    private static final Pattern TABLE =
            Pattern.compile(
                    "^\\s*CREATE\\s+TABLE\\s", Pattern.MULTILINE | Pattern.CASE_INSENSITIVE);

    @ParameterizedTest
    @CsvSource({
        "org/quartz/impl/jdbcjobstore/tables_h2.sql,",
        "org/quartz/impl/jdbcjobstore/tables_postgres.sql,",
        "org/quartz/impl/jdbcjobstore/tables_hsqldb.sql,",
        "org/springframework/batch/core/schema-h2.sql, schema-drop-h2.sql",
        "org/springframework/batch/core/schema-postgresql.sql, schema-drop-postgresql.sql",
        "org/springframework/batch/core/schema-hsqldb.sql, schema-drop-hsqldb.sql",
        "org/springframework/session/jdbc/schema-h2.sql, schema-drop-h2.sql",
        "org/springframework/session/jdbc/schema-postgresql.sql, schema-drop-postgresql.sql",
        "org/springframework/session/jdbc/schema-hsqldb.sql, schema-drop-hsqldb.sql",
        "org/springframework/integration/jdbc/schema-h2.sql, schema-drop-h2.sql",
        "org/springframework/integration/jdbc/schema-postgresql.sql, schema-drop-postgresql.sql",
        "org/springframework/integration/jdbc/schema-hsqldb.sql, schema-drop-hsqldb.sql",
        "org/springframework/modulith/events/jdbc/schemas/v1/schema-h2.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v1/schema-h2-archive.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v1/schema-postgresql.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v1/schema-postgresql-archive.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v2/schema-h2.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v2/schema-h2-archive.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v2/schema-postgresql.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v2/schema-postgresql-archive.sql,",
    })
    void scriptMakesItsTables(String script, String drop) throws Exception {
        ClassPathResource made = new ClassPathResource(script);
        long expected =
                TABLE.matcher(made.getContentAsString(StandardCharsets.UTF_8)).results().count();
        assertTrue(expected > 0);
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:mem:")) {
            run(connection, made);
            assertEquals(expected, tables(connection));
            if (drop != null) {
                run(connection, new ClassPathResource(script.replaceFirst("[^/]*$", drop)));
                assertEquals(0, tables(connection));
            }
        }
    }

    /// The lines of Quartz that begin with a # are comments that its users take out.
    private static void run(Connection connection, ClassPathResource script) {
        ScriptUtils.executeSqlScript(
                connection,
                new EncodedResource(script),
                false,
                script.getPath().toLowerCase(Locale.ROOT).contains("drop"),
                new String[] {"--", "#"},
                ";",
                "/*",
                "*/");
    }

    private static long tables(Connection connection) throws Exception {
        try (ResultSet tables =
                connection.getMetaData().getTables(null, null, "%", new String[] {"TABLE"})) {
            long count = 0;
            while (tables.next()) {
                count++;
            }
            return count;
        }
    }
}
