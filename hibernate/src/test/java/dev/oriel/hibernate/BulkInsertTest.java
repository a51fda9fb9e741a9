package dev.oriel.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.persistence.DiscriminatorColumn;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import java.util.List;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// INSERT of HQL into entities whose values are in two tables, with each way of making their keys.
@Timeout(300)
class BulkInsertTest {
    private final SessionFactory factory =
            new Configuration()
                    .setProperty("hibernate.connection.url", "jdbc:oriel:mem:bulk-inserts")
                    .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                    .setProperty("hibernate.hbm2ddl.halt_on_error", "true")
                    .addAnnotatedClass(Counted.class)
                    .addAnnotatedClass(CountedPart.class)
                    .addAnnotatedClass(Named.class)
                    .addAnnotatedClass(NamedPart.class)
                    .addAnnotatedClass(Plain.class)
                    .addAnnotatedClass(PlainPart.class)
                    .buildSessionFactory();

    @AfterEach
    void close() {
        factory.close();
    }

    @Entity(name = "Counted")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Counted {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        @Nullable Long id;

        String name = "";
    }

    @Entity(name = "CountedPart")
    static class CountedPart extends Counted {
        int size;
    }

    @Entity(name = "Named")
    @Inheritance(strategy = InheritanceType.JOINED)
    @DiscriminatorColumn(name = "kind")
    static class Named {
        @Id @GeneratedValue @Nullable Long id;
        String name = "";
    }

    @Entity(name = "NamedPart")
    static class NamedPart extends Named {
        int size;
    }

    @Entity(name = "Plain")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Plain {
        @Id @GeneratedValue @Nullable Long id;
        String name = "";
    }

    @Entity(name = "PlainPart")
    static class PlainPart extends Plain {
        int size;
    }

    private void fill() {
        factory.inTransaction(session -> {
            for (int i = 0; i < 60; i++) {
                NamedPart part = new NamedPart();
                part.name = "part " + i;
                part.size = i;
                session.persist(part);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"CountedPart", "NamedPart", "PlainPart"})
    void rowsOfAQueryAreInsertedIntoBothTables(String entity) {
        fill();
        String insert =
                "insert into %s (name, size) select name || '!', size + 1 from NamedPart where size < 100"
                        .formatted(entity);
        factory.inTransaction(
                session -> assertEquals(60, session.createMutationQuery(insert).executeUpdate()));
        String count = "select count(distinct id) from %s where name like '%%!'".formatted(entity);
        factory.inTransaction(session ->
                assertEquals(60L, session.createQuery(count, Long.class).getSingleResult()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"CountedPart", "NamedPart", "PlainPart"})
    void listedRowsAreInsertedIntoBothTables(String entity) {
        factory.inTransaction(session ->
                assertEquals(
                        2,
                        session.createMutationQuery(
                                        "insert into "
                                                + entity
                                                + " (name, size) values ('a', 1), ('b', 2)")
                                .executeUpdate()));
        factory.inTransaction(session ->
                assertEquals(
                        List.of("a", "b"),
                        session.createQuery(
                                        "select name from "
                                                + entity
                                                + " where size < 3 order by size",
                                        String.class)
                                .list()));
    }

    @Test
    void changesReachBothTables() {
        fill();
        factory.inTransaction(session -> {
            assertEquals(
                    30,
                    session.createMutationQuery(
                                    "update NamedPart set name = 'x', size = size + 100 where size < 30")
                            .executeUpdate());
            assertEquals(
                    30L,
                    session.createQuery(
                                    "select count(*) from NamedPart where name = 'x' and size >= 100",
                                    Long.class)
                            .getSingleResult());
            assertEquals(60, session.createMutationQuery("delete Named").executeUpdate());
        });
    }
}
