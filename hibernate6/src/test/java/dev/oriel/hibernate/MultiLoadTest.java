package dev.oriel.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Entities that are read by many keys at once.
@Timeout(300)
class MultiLoadTest {
    @Test
    void entitiesAreFoundByManyKeysAtOnce() {
        Configuration configuration =
                new Configuration()
                        .setProperty("hibernate.connection.url", "jdbc:oriel:mem:multi-load")
                        .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                        .addAnnotatedClass(Author.class)
                        .addAnnotatedClass(Book.class);
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            factory.inTransaction(session ->
                    List.of("Ann", "Bob", "Eve")
                            .forEach(name -> session.persist(new Author(name))));
            factory.inTransaction(session ->
                    assertEquals(
                            List.of("Eve", "Ann"),
                            session.byMultipleIds(Author.class).multiLoad(List.of(3L, 1L)).stream()
                                    .map(Author::name)
                                    .toList()));
        }
    }
}
