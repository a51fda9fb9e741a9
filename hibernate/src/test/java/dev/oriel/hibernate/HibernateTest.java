package dev.oriel.hibernate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.persistence.LockModeType;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Root;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.hibernate.ScrollMode;
import org.hibernate.ScrollableResults;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.exception.ConstraintViolationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Hibernate over a database in memory: what programs ask of it.
@Timeout(300)
class HibernateTest {
    private static final String URL = "jdbc:oriel:mem:hibernate";
    private static final String WAIT = "jakarta.persistence.lock.timeout";
    private static final int SKIP_LOCKED = -2;

    private SessionFactory factory = factory("create-drop");

    private static SessionFactory factory(String schema) {
        return new Configuration()
                .addAnnotatedClass(Author.class)
                .addAnnotatedClass(Book.class)
                .addAnnotatedClass(Sample.class)
                .setProperty("hibernate.connection.url", URL)
                .setProperty("hibernate.connection.pool_size", "5")
                .setProperty("hibernate.hbm2ddl.auto", schema)
                .setProperty("hibernate.jdbc.batch_size", "20")
                .buildSessionFactory();
    }

    @BeforeEach
    void fill() {
        factory.inTransaction(session -> {
            Author one = new Author("Ann");
            one.wrote("First", 2001);
            one.wrote("Second", 2005);
            one.wrote("Third", 2010);
            session.persist(one);
            Author other = new Author("Bob");
            other.wrote("Fourth", 2010);
            session.persist(other);
        });
    }

    @AfterEach
    void close() {
        factory.close();
    }

    @Test
    void dialectIsFoundByItself() {
        SessionFactoryImplementor implementor = factory.unwrap(SessionFactoryImplementor.class);
        assertInstanceOf(OrielDialect.class, implementor.getJdbcServices().getDialect());
    }

    @Test
    void idsAreThoseOfIdentityAndSequence() {
        factory.inTransaction(session -> {
            List<Long> authors =
                    session.createQuery("select id from Author order by id", Long.class).list();
            assertEquals(List.of(1L, 2L), authors);
            List<Long> books =
                    session.createQuery("select id from Book order by id", Long.class).list();
            assertEquals(4, books.size());
            Author found = session.find(Author.class, 1L);
            assertEquals("Ann", found.name());
            assertEquals(3, found.books().size());
        });
    }

    @Test
    void createdSchemaIsValidAndIsUpdatedToItself() {
        factory("validate").close();
        factory("update").close();
        factory("validate").close();
    }

    @Test
    void pagesComeInOrder() {
        factory.inTransaction(session -> {
            List<String> titles =
                    session.createQuery(
                                    "select title from Book order by published, title",
                                    String.class)
                            .setFirstResult(1)
                            .setMaxResults(2)
                            .list();
            assertEquals(List.of("Second", "Fourth"), titles);
            List<String> all = new ArrayList<>();
            for (int page = 0; page < 4; page++) {
                all.addAll(
                        session.createQuery("select title from Book order by id", String.class)
                                .setFirstResult(page * 3)
                                .setMaxResults(3)
                                .list());
            }
            assertEquals(List.of("First", "Second", "Third", "Fourth"), all);
        });
    }

    @Test
    void manyAreInsertedInBatches() {
        factory.inTransaction(session -> {
            Author author = session.find(Author.class, 2L);
            for (int i = 0; i < 500; i++) {
                session.persist(new Book(author, "book " + i, 1900 + i % 100));
                if (i % 50 == 49) {
                    session.flush();
                    session.clear();
                    author = session.find(Author.class, 2L);
                }
            }
        });
        factory.inTransaction(session ->
                assertEquals(
                        504L,
                        session.createQuery("select count(*) from Book", Long.class)
                                .getSingleResult()));
    }

    @Test
    void joinsGroupsAndSubqueriesAreAsked() {
        factory.inTransaction(session -> {
            List<Object[]> groups =
                    session.createQuery(
                                    "select a.name, count(b), max(b.published) from Author a join a.books b"
                                            + " group by a.name having count(b) > 1",
                                    Object[].class)
                            .list();
            assertEquals(1, groups.size());
            assertEquals("Ann", groups.getFirst()[0]);
            assertEquals(LocalDate.of(2010, 2, 28), groups.getFirst()[2]);
            assertEquals(
                    List.of("Ann"),
                    session.createQuery(
                                    "select name from Author a where exists (select 1 from Book b where b.author"
                                            + " = a and b.title like 'Sec%')",
                                    String.class)
                            .list());
            assertEquals(
                    List.of("Bob", "Ann"),
                    session.createQuery(
                                    "select distinct a.name from Author a left join a.books order by"
                                            + " a.name desc",
                                    String.class)
                            .list());
        });
    }

    @Test
    void functionsOfTextNumbersAndDatesAreAsked() {
        factory.inTransaction(session -> {
            Object[] row =
                    session.createQuery(
                                    "select upper(title), length(title), substring(title, 2, 3), concat(title,"
                                            + " '!', 1), year(published), extract(month from published),"
                                            + " published + 1 year, coalesce(null, title), locate('s', title),"
                                            + " cast(id as string), abs(-3), mod(7, 4), title || 'x', replace(title,"
                                            + " 'F', 'f'), trim(both ' ' from '  a '), nullif(1, 2), round(2.567, 1)"
                                            + " from Book where title = 'First'",
                                    Object[].class)
                            .getSingleResult();
            assertEquals("FIRST", row[0]);
            assertEquals(5, row[1]);
            assertEquals("irs", row[2]);
            assertEquals("First!1", row[3]);
            assertEquals(2001, row[4]);
            assertEquals(2, row[5]);
            assertEquals(LocalDate.of(2002, 2, 28), row[6]);
            assertEquals(4, row[8]);
            assertEquals("a", row[14]);
        });
    }

    @Test
    void datesAreComparedByTheirDistance() {
        factory.inTransaction(session ->
                assertEquals(
                        List.of(5L),
                        session.createQuery(
                                        "select (b.published - a.published) by year from Book a, Book b where"
                                                + " a.title = 'Second' and b.title = 'Third'",
                                        Long.class)
                                .list()));
    }

    @Test
    void windowsAreAsked() {
        factory.inTransaction(session ->
                assertEquals(
                        List.of(1L, 2L, 3L, 1L),
                        session.createQuery(
                                        "select row_number() over (partition by b.author order by b.published)"
                                                + " from Book b order by b.id",
                                        Long.class)
                                .list()));
    }

    @Test
    void criteriaAreAsked() {
        factory.inTransaction(session -> {
            CriteriaBuilder builder = session.getCriteriaBuilder();
            CriteriaQuery<Book> query = builder.createQuery(Book.class);
            Root<Book> book = query.from(Book.class);
            query.where(
                            builder.and(
                                    builder.like(book.get("title"), "%ir%"),
                                    builder.equal(book.get("author").get("name"), "Ann")))
                    .orderBy(builder.desc(book.get("title")));
            List<String> titles =
                    session.createQuery(query).list().stream().map(Book::title).toList();
            assertEquals(List.of("Third", "First"), titles);
        });
    }

    @Test
    void manyAreChangedAndDeletedAtOnce() {
        factory.inTransaction(session -> {
            assertEquals(
                    3,
                    session.createMutationQuery(
                                    "update Book set title = title || '?' where author.name = 'Ann'")
                            .executeUpdate());
            assertEquals(
                    1,
                    session.createMutationQuery("delete Book where title = 'First?'")
                            .executeUpdate());
        });
    }

    @Test
    void secondWriterOfAnOldVersionIsRefused() {
        Book seen =
                factory.fromTransaction(session ->
                        session.createQuery("from Book where title = 'First'", Book.class)
                                .getSingleResult());
        factory.inTransaction(session -> session.find(Book.class, seen.id()).title("Changed"));
        seen.title("Changed too");
        assertThrows(
                OptimisticLockException.class,
                () -> factory.inTransaction(session -> session.merge(seen)));
    }

    @Test
    void lockedRowsArePassedOverOrRefused() {
        try (Session one = factory.openSession();
                Session two = factory.openSession()) {
            one.beginTransaction();
            two.beginTransaction();
            Book locked =
                    one.createQuery("from Book order by id", Book.class)
                            .setMaxResults(1)
                            .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                            .getSingleResult();
            List<Book> others =
                    two.createQuery("from Book order by id", Book.class)
                            .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                            .setHint(WAIT, SKIP_LOCKED)
                            .list();
            assertEquals(3, others.size());
            assertTrue(others.stream().noneMatch(book -> book.id().equals(locked.id())));
            assertThrows(
                    PersistenceException.class,
                    () ->
                            two.find(
                                    Book.class,
                                    locked.id(),
                                    LockModeType.PESSIMISTIC_WRITE,
                                    Map.of(WAIT, 0)));
            one.getTransaction().commit();
            two.getTransaction().rollback();
        }
    }

    @Test
    void brokenConstraintIsToldByItsName() {
        ConstraintViolationException refused =
                assertThrows(
                        ConstraintViolationException.class,
                        () -> factory.inTransaction(session -> session.persist(new Author("Ann"))));
        assertEquals("23505", refused.getSQLState());
    }

    @Test
    void resultsAreScrolled() {
        factory.inTransaction(session -> {
            try (ScrollableResults<String> titles =
                    session.createQuery("select title from Book order by id", String.class)
                            .scroll(ScrollMode.SCROLL_INSENSITIVE)) {
                assertTrue(titles.last());
                assertEquals("Fourth", titles.get());
                assertTrue(titles.first());
                assertEquals("First", titles.get());
                assertTrue(titles.scroll(2));
                assertEquals("Third", titles.get());
            }
        });
    }

    @Test
    void everyTypeComesBackAsItWas() {
        UUID id = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
        factory.inTransaction(session -> session.persist(sample(id)));
        factory.inTransaction(session -> {
            Sample expected = sample(id);
            Sample found = session.find(Sample.class, id);
            assertNotNull(found);
            assertTrue(found.truth);
            assertEquals(expected.small, found.small);
            assertEquals(expected.shorter, found.shorter);
            assertEquals(expected.whole, found.whole);
            assertEquals(expected.wide, found.wide);
            assertEquals(expected.real, found.real);
            assertEquals(expected.twice, found.twice);
            assertEquals(expected.letter, found.letter);
            assertEquals(expected.decimal, found.decimal);
            assertEquals(expected.text, found.text);
            assertEquals(expected.document, found.document);
            assertArrayEquals(expected.picture, found.picture);
            assertArrayEquals(expected.bytes, found.bytes);
            assertEquals(expected.day, found.day);
            assertEquals(expected.time, found.time);
            assertEquals(expected.moment, found.moment);
            assertEquals(expected.instant, found.instant);
            assertNotNull(found.zoned);
            assertNotNull(expected.zoned);
            assertEquals(expected.zoned.toInstant(), found.zoned.toInstant());
            assertEquals(Sample.Colour.GREEN, found.colour);
            assertEquals(Sample.Colour.RED, found.number);
        });
    }

    private static Sample sample(UUID id) {
        Sample sample = new Sample();
        sample.id = id;
        sample.truth = true;
        sample.small = -128;
        sample.shorter = 32_767;
        sample.whole = Integer.MIN_VALUE;
        sample.wide = Long.MAX_VALUE;
        sample.real = 1.5f;
        sample.twice = 1e300;
        sample.letter = '\u00e9';
        sample.decimal = new BigDecimal("12345678.1234");
        sample.text = "text with ' and \u65e5";
        sample.document = "long ".repeat(10_000);
        sample.picture = new byte[100_000];
        sample.bytes = new byte[] {0, 1, -1};
        sample.day = LocalDate.of(2024, 2, 29);
        sample.time = LocalTime.of(23, 59, 59);
        sample.moment = LocalDateTime.of(2024, 2, 29, 12, 30, 15, 123_456_000);
        sample.zoned = OffsetDateTime.of(2024, 2, 29, 12, 30, 0, 0, ZoneOffset.ofHours(5));
        sample.instant = Instant.parse("2024-02-29T12:30:00.250Z");
        sample.colour = Sample.Colour.GREEN;
        sample.number = Sample.Colour.RED;
        return sample;
    }
}
