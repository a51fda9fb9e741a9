package dev.oriel.hibernate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.hibernate.Mapped.Category;
import dev.oriel.hibernate.Mapped.Measure;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.UniqueConstraint;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import org.hibernate.ScrollMode;
import org.hibernate.ScrollableResults;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.exception.ConstraintViolationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Parts of HQL that Hibernate's own tests found missing.
@Timeout(300)
class HqlTest {
    private final SessionFactory factory = factory();

    @Entity(name = "Pair")
    @Table(uniqueConstraints = @UniqueConstraint(name = "pair_name", columnNames = "name"))
    static class Pair {
        @Id int id;
        @Nullable String name;
        int n;
        @Nullable Float share;

        @Column(name = "at_time")
        LocalDateTime at = LocalDateTime.of(2024, 2, 29, 12, 0);

        protected Pair() {}

        Pair(int id, @Nullable String name, int n) {
            this.id = id;
            this.name = name;
            this.n = n;
        }
    }

    private static SessionFactory factory() {
        Configuration configuration =
                new Configuration()
                        .setProperty("hibernate.connection.url", "jdbc:oriel:mem:hql")
                        .setProperty("hibernate.connection.autocommit", "false")
                        .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                        .setProperty("hibernate.hbm2ddl.halt_on_error", "true")
                        .addAnnotatedClass(Pair.class);
        Mapped.ALL.forEach(configuration::addAnnotatedClass);
        return configuration.buildSessionFactory();
    }

    @BeforeEach
    void fill() {
        factory.inTransaction(session -> {
            session.persist(new Pair(1, "a\\b", 5));
            session.persist(new Pair(2, "c", 3));
        });
    }

    @AfterEach
    void close() {
        factory.close();
    }

    private <T> T one(String query, Class<T> type) {
        return factory.fromTransaction(
                session -> session.createQuery(query, type).getSingleResult());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bitand(n, 3)                            | 1",
                "bitor(n, 3)                             | 7",
                "bitxor(n, 3)                            | 6",
                "chr(n + 60)                             | A",
                "ascii('A')                              | 65",
                "trunc(2.567, 1)                         | 2.5",
                "trunc(at, hour)                         | 2024-02-29T12:00",
                "at + 2.5 second                         | 2024-02-29T12:00:02.500",
                "(at + 90 minute - at) by minute         | 90",
                "bit_length('ab')                        | 16",
                "extract(day of week from at)            | 5",
                "extract(day of year from at)            | 60",
                "extract(day of month from at)           | 29",
                "extract(week from at)                   | 9",
            })
    void functionsAreThoseOfHibernate(String expression, String expected) {
        assertEquals(
                expected,
                one("select " + expression + " from Pair where id = 1", Object.class).toString());
    }

    /// HQL has no escape character unless the query names one.
    @Test
    void backslashesArePlainInLike() {
        assertEquals(1L, one("select count(*) from Pair where name like 'a\\b'", Long.class));
        assertEquals(
                1L,
                one("select count(*) from Pair where name like 'a#\\%' escape '#'", Long.class));
    }

    @Test
    void rowsThatExistAreLeftOrChanged() {
        factory.inTransaction(session -> {
            assertEquals(
                    0,
                    session.createMutationQuery(
                                    "insert into Pair (id, name, n) values (1, 'x', 9) on conflict do nothing")
                            .executeUpdate());
            assertEquals(
                    1,
                    session.createMutationQuery(
                                    "insert into Pair (id, name, n) values (1, 'x', 9) on conflict (id) do"
                                            + " update set n = excluded.n + 1 where n < 6")
                            .executeUpdate());
        });
        assertEquals(10, one("select n from Pair where id = 1", Integer.class));
    }

    @Test
    void changesReadJoinedEntities() {
        factory.inTransaction(session -> {
            Category root = new Category("root", null);
            session.persist(root);
            session.persist(new Category("leaf", root));
        });
        factory.inTransaction(session -> {
            assertEquals(
                    1,
                    session.createMutationQuery(
                                    "update Category c set c.name = c.parent.name where c.parent is not null")
                            .executeUpdate());
            assertEquals(
                    2,
                    session.createMutationQuery(
                                    "update Pair p left join Pair q on q.id = p.id + 1 set p.n = coalesce(q.n, 0)")
                            .executeUpdate());
        });
        assertEquals(2L, one("select count(*) from Category where name = 'root'", Long.class));
        assertEquals(3, one("select n from Pair where id = 1", Integer.class));
        assertEquals(0, one("select n from Pair where id = 2", Integer.class));
    }

    @Test
    void brokenConstraintIsNamed() {
        ConstraintViolationException twice =
                assertThrows(
                        ConstraintViolationException.class,
                        () ->
                                factory.inTransaction(
                                        session -> session.persist(new Pair(3, "c", 0))));
        assertEquals("pair_name", twice.getConstraintName());
        OrielConstraintNames names = new OrielConstraintNames();
        assertEquals(
                "my key",
                names.extractConstraintName(
                        new SQLException("Twice: table=t constraint=my key columns=(a) key=1")));
        assertEquals(
                "u", names.extractConstraintName(new SQLException("Twice: table=t index=u key=1")));
        assertNull(names.extractConstraintName(new SQLException("Twice: table=t primary key")));
        assertEquals(ConstraintViolationException.ConstraintKind.UNIQUE, twice.getKind());
    }

    @Test
    void missingValueNamesItsColumn() {
        ConstraintViolationException missing =
                assertThrows(
                        ConstraintViolationException.class,
                        () ->
                                factory.inTransaction(session ->
                                        session.createNativeMutationQuery(
                                                        "insert into pair (id, name, n) values (9, 'i', null)")
                                                .executeUpdate()));
        assertEquals("n", missing.getConstraintName());
    }

    @Test
    void cyclesOfRecursionAreMarkedAndTuplesCounted() {
        assertEquals(
                List.of(1, 2),
                factory.fromTransaction(session ->
                        session.createQuery(
                                        "with chain as (select p.id id from Pair p where p.id = 1 union all"
                                                + " select q.id id from chain c join Pair q on q.id = 3 - c.id)"
                                                + " cycle id set looped select c.id from chain c where not"
                                                + " c.looped order by c.id",
                                        Integer.class)
                                .list()));
        assertEquals(2L, one("select count(distinct (id, n)) from Pair", Long.class));
        assertEquals(2L, one("select rank(4) within group (order by n) from Pair", Long.class));
    }

    @Test
    void arraysOfNativeQueriesAreArrays() {
        factory.inTransaction(session -> {
            Measure measure = new Measure();
            measure.numbers = new int[] {3, 1};
            session.persist(measure);
        });
        Object found =
                factory.fromTransaction(session ->
                        session.createNativeQuery("SELECT numbers FROM Measure", Object.class)
                                .getSingleResult());
        assertArrayEquals(new Integer[] {3, 1}, assertInstanceOf(Integer[].class, found));
    }

    @Test
    void resultsAreScrolledInAnyMode() {
        for (ScrollMode mode : ScrollMode.values()) {
            factory.inTransaction(session -> {
                try (ScrollableResults<Integer> rows =
                        session.createQuery("select id from Pair order by id", Integer.class)
                                .scroll(mode)) {
                    assertTrue(rows.next());
                    assertEquals(1, rows.get());
                }
            });
        }
    }

    @Test
    void floatsAreOfFourBytes() {
        factory.inTransaction(session -> session.find(Pair.class, 1).share = 0.1f);
        Object found =
                factory.fromTransaction(session ->
                        session.createNativeQuery(
                                        "SELECT share FROM Pair WHERE id = 1", Object.class)
                                .getSingleResult());
        assertEquals(0.1f, found);
    }
}
