package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
        "org/springframework/modulith/events/jdbc/schemas/v1/schema-hsqldb.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v1/schema-postgresql-archive.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v1/schema-hsqldb-archive.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v2/schema-h2.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v2/schema-h2-archive.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v2/schema-postgresql.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v2/schema-hsqldb.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v2/schema-postgresql-archive.sql,",
        "org/springframework/modulith/events/jdbc/schemas/v2/schema-hsqldb-archive.sql,",
        "org/springframework/security/core/userdetails/jdbc/users.ddl,",
        "createAclSchema.sql,",
        "createAclSchemaPostgres.sql,",
        "org/springframework/security/oauth2/client/oauth2-client-schema.sql,",
        "org/springframework/security/oauth2/client/oauth2-client-schema-postgres.sql,",
        "org/springframework/security/oauth2/server/authorization/oauth2-authorization-schema.sql,",
        "org/springframework/security/oauth2/server/authorization/oauth2-authorization-consent-schema.sql,",
        "org/springframework/security/oauth2/server/authorization/client/oauth2-registered-client-schema.sql,",
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

    /// The scripts of one engine, in the order in which it runs them: `%1$s` is create or drop, `%2$s` the product.
    private static final List<String> CAMUNDA =
            Stream.of(
                            "engine",
                            "history",
                            "identity",
                            "case.engine",
                            "case.history",
                            "decision.engine",
                            "decision.history")
                    .map(part -> "org/camunda/bpm/engine/db/%1$s/activiti.%2$s.%1$s." + part)
                    .toList();

    private static final List<String> FLOWABLE =
            List.of(
                    "org/flowable/common/db/%1$s/flowable.%2$s.%1$s.common",
                    "org/flowable/db/%1$s/flowable.%2$s.%1$s.engine",
                    "org/flowable/db/%1$s/flowable.%2$s.%1$s.history",
                    "org/flowable/idm/db/%1$s/flowable.%2$s.%1$s.identity",
                    "org/flowable/eventregistry/db/%1$s/flowable.%2$s.%1$s.eventregistry");

    @ParameterizedTest
    @CsvSource({"h2, CAMUNDA", "postgres, CAMUNDA", "h2, FLOWABLE", "postgres, FLOWABLE"})
    void scriptsOfAnEngineMakeAndDropTheirTables(String product, String engine) throws Exception {
        List<String> scripts = engine.equals("CAMUNDA") ? CAMUNDA : FLOWABLE;
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:mem:")) {
            long expected = 0;
            for (String each : scripts) {
                ClassPathResource made =
                        new ClassPathResource(each.formatted("create", product) + ".sql");
                String text = made.getContentAsString(StandardCharsets.UTF_8);
                expected += TABLE.matcher(text).results().count();
                run(connection, made);
            }
            assertTrue(expected > 0);
            assertEquals(expected, tables(connection));
            for (String each : scripts.reversed()) {
                run(connection, new ClassPathResource(each.formatted("drop", product) + ".sql"));
            }
            assertEquals(0, tables(connection));
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
