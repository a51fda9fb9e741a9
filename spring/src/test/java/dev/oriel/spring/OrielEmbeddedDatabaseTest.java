package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.OrielDataSource;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;

class OrielEmbeddedDatabaseTest {
    private static final String COUNT = "SELECT COUNT(*) FROM pet";

    private final OrielEmbeddedDatabase databases = new OrielEmbeddedDatabase();

    OrielEmbeddedDatabaseTest() {}

    private static EmbeddedDatabaseBuilder builder() {
        return new EmbeddedDatabaseBuilder(
                new DefaultResourceLoader() {
                    @Override
                    public Resource getResource(String script) {
                        return new ByteArrayResource(script.getBytes(StandardCharsets.UTF_8));
                    }
                });
    }

    private EmbeddedDatabase build(String script) {
        return builder()
                .generateUniqueName(true)
                .setDatabaseConfigurer(databases)
                .addScript(script)
                .build();
    }

    private static int pets(EmbeddedDatabase database) {
        Integer count = new JdbcTemplate(database).queryForObject(COUNT, Integer.class);
        return count == null ? -1 : count;
    }

    @Test
    void databaseLivesUntilItIsShutDown() {
        EmbeddedDatabase one = build("CREATE TABLE pet (id IDENTITY); INSERT INTO pet VALUES (7)");
        EmbeddedDatabase other = build("CREATE TABLE pet (id IDENTITY)");
        assertEquals(1, pets(one));
        assertEquals(0, pets(other));
        JdbcTemplate template = new JdbcTemplate(one);
        one.shutdown();
        one.shutdown();
        assertThrows(RuntimeException.class, () -> template.queryForObject(COUNT, Integer.class));
        assertEquals(0, pets(other));
        other.shutdown();
    }

    @Test
    void nameIsFreeAfterwards() {
        for (int i = 0; i < 2; i++) {
            EmbeddedDatabase database =
                    builder()
                            .setName("pets")
                            .setDatabaseConfigurer(databases)
                            .addScript("CREATE TABLE pet (id IDENTITY)")
                            .build();
            assertEquals(0, pets(database));
            database.shutdown();
        }
        JdbcTemplate none = new JdbcTemplate(new OrielDataSource("jdbc:oriel:mem:pets"));
        assertThrows(BadSqlGrammarException.class, () -> none.queryForObject(COUNT, Integer.class));
    }
}
