package dev.oriel.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.hibernate.Mapped.Category;
import dev.oriel.hibernate.Mapped.Measure;
import dev.oriel.hibernate.Mapped.Note;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.cfg.Configuration;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Queries that Hibernate has since release 7: functions of JSON, functions that return rows, many keys at once.
@Timeout(300)
class NewFunctionsTest {
    private final SessionFactory factory = factory();

    private static SessionFactory factory() {
        Configuration configuration =
                new Configuration()
                        .setProperty("hibernate.connection.url", "jdbc:oriel:mem:functions")
                        .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                        .setProperty("hibernate.query.hql.json_functions_enabled", "true")
                        .setProperty("hibernate.hbm2ddl.halt_on_error", "true");
        Mapped.ALL.forEach(configuration::addAnnotatedClass);
        configuration.addAnnotatedClass(Listing.class);
        return configuration.buildSessionFactory();
    }

    @AfterEach
    void close() {
        factory.close();
    }

    @Entity(name = "Listing")
    static class Listing {
        @Id int id;

        @JdbcTypeCode(SqlTypes.JSON_ARRAY)
        List<Note> notes = List.of(new Note("one", 1));
    }

    @Test
    void arraysOfJsonComeBackAsTheyWere() {
        factory.inTransaction(session -> session.persist(new Listing()));
        factory.inTransaction(session ->
                assertEquals("one", session.find(Listing.class, 0).notes.getFirst().text));
    }

    @Test
    void elementsOfArraysAreJoined() {
        factory.inTransaction(session -> {
            Measure measure = new Measure();
            measure.list = List.of("x", "y");
            session.persist(measure);
        });
        factory.inTransaction(session ->
                assertEquals(
                        List.of("x", "y"),
                        session.createQuery(
                                        "select e from Measure v join lateral unnest(v.list) e order by e",
                                        String.class)
                                .list()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "json_value(document, '$.k')                             | v",
                "json_query(document, '$.k')                             | \"v\"",
                "json_exists(document, '$.x')                            | false",
                "json_value(json_object('a': 1), '$.a')                  | 1",
                "json_value(json_array(1, 2), '$[1]')                    | 2",
                "json_value(json_set(document, '$.k', 'w'), '$.k')       | w",
                "json_exists(json_remove(document, '$.k'), '$.k')        | false",
            })
    void functionsOfJsonAreAsked(String expression, String expected) {
        factory.inTransaction(session -> {
            Measure measure = new Measure();
            measure.document = Map.of("k", "v");
            session.persist(measure);
        });
        factory.inTransaction(session ->
                assertEquals(
                        expected,
                        session.createQuery("select " + expression + " from Measure", Object.class)
                                .getSingleResult()
                                .toString()));
    }

    @Test
    void aggregatesOfArraysAndJsonAreAsked() {
        factory.inTransaction(session -> {
            session.persist(new Category("a", null));
            session.persist(new Category("b", null));
        });
        factory.inTransaction(session -> {
            Object[] row =
                    session.createQuery(
                                    "select array_to_string(array_agg(name) within group (order by name), '+'),"
                                            + " json_arrayagg(name order by name), json_objectagg(name: 1)"
                                            + " from Category",
                                    Object[].class)
                            .getSingleResult();
            assertEquals("a+b", row[0]);
            assertEquals("[\"a\",\"b\"]", row[1].toString().replace(" ", ""));
            assertEquals("{\"a\":1,\"b\":1}", row[2].toString().replace(" ", ""));
            assertEquals(
                    List.of(1, 3, 5),
                    session.createQuery(
                                    "select s from generate_series(1, 5, 2) s order by s",
                                    Integer.class)
                            .list());
        });
    }

    @Test
    void entitiesAreFoundByManyKeysAtOnce() {
        List<Long> ids = new ArrayList<>();
        factory.inTransaction(session -> {
            for (String name : List.of("a", "b", "c")) {
                Category category = new Category(name, null);
                session.persist(category);
                ids.add(Objects.requireNonNull(category.id));
            }
        });
        factory.inTransaction(session ->
                assertEquals(
                        List.of("c", "a"),
                        session
                                .findMultiple(Category.class, List.of(ids.get(2), ids.get(0)))
                                .stream()
                                .map(category -> category.name)
                                .toList()));
    }
}
