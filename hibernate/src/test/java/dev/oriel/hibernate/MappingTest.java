package dev.oriel.hibernate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.hibernate.Mapped.Address;
import dev.oriel.hibernate.Mapped.Car;
import dev.oriel.hibernate.Mapped.Card;
import dev.oriel.hibernate.Mapped.Cash;
import dev.oriel.hibernate.Mapped.Category;
import dev.oriel.hibernate.Mapped.Circle;
import dev.oriel.hibernate.Mapped.Course;
import dev.oriel.hibernate.Mapped.Desk;
import dev.oriel.hibernate.Mapped.Exam;
import dev.oriel.hibernate.Mapped.Level;
import dev.oriel.hibernate.Mapped.Measure;
import dev.oriel.hibernate.Mapped.Note;
import dev.oriel.hibernate.Mapped.Payment;
import dev.oriel.hibernate.Mapped.Shape;
import dev.oriel.hibernate.Mapped.Square;
import dev.oriel.hibernate.Mapped.Student;
import dev.oriel.hibernate.Mapped.Truck;
import dev.oriel.hibernate.Mapped.Vehicle;
import jakarta.persistence.LockModeType;
import jakarta.persistence.OptimisticLockException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each kind of mapping, stored and read back.
@Timeout(300)
class MappingTest {
    private final SessionFactory factory = factory("create-drop");

    private static SessionFactory factory(String schema) {
        Configuration configuration =
                new Configuration()
                        .setProperty("hibernate.connection.url", "jdbc:oriel:mem:mappings")
                        .setProperty("hibernate.hbm2ddl.auto", schema)
                        .setProperty("hibernate.jdbc.batch_size", "20")
                        .setProperty("hibernate.hbm2ddl.halt_on_error", "true");
        Mapped.ALL.forEach(configuration::addAnnotatedClass);
        return configuration.buildSessionFactory();
    }

    @AfterEach
    void close() {
        factory.close();
    }

    private Student student() {
        Student student = new Student("Ann");
        student.home = new Address("Main Street", "Town");
        student.nicknames.addAll(Set.of("a", "b"));
        student.marks.addAll(List.of("good", "bad", "good"));
        student.points.putAll(Map.of("x", 1, "y", 2));
        student.notes.add(new Note("one", 1));
        student.notes.add(new Note("two", 2));
        student.levels.add(Level.HIGH);
        student.courses.add(new Course("Logic"));
        student.courses.add(new Course("Sets"));
        student.exams.add(new Exam("Logic", 2));
        student.exams.add(new Exam("Logic", 1));
        student.desk = new Desk();
        student.desk.number = 7;
        return student;
    }

    @Test
    void collectionsOfElementsAreStoredAndChanged() {
        factory.inTransaction(session -> session.persist(student()));
        factory.inTransaction(session -> {
            Student found = only(session, Student.class);
            assertEquals(Set.of("a", "b"), Set.copyOf(found.nicknames));
            assertEquals(List.of("good", "bad", "good"), List.copyOf(found.marks));
            assertEquals(Map.of("x", 1, "y", 2), Map.copyOf(found.points));
            assertEquals(2, found.notes.size());
            assertEquals(Set.of(Level.HIGH), Set.copyOf(found.levels));
            assertEquals(new Address("Main Street", "Town"), found.home);
            found.nicknames.remove("a");
            found.marks.remove(0);
            found.points.put("x", 5);
            found.notes.remove(0);
            found.levels.add(Level.LOW);
        });
        factory.inTransaction(session -> {
            Student found = only(session, Student.class);
            assertEquals(Set.of("b"), Set.copyOf(found.nicknames));
            assertEquals(List.of("bad", "good"), List.copyOf(found.marks));
            assertEquals(Map.of("x", 5, "y", 2), Map.copyOf(found.points));
            assertEquals(1, found.notes.size());
            assertEquals(Set.of(Level.HIGH, Level.LOW), Set.copyOf(found.levels));
            assertEquals(
                    List.of("Ann"),
                    session.createQuery(
                                    "select s.name from Student s join s.points p where key(p) = 'x' and value(p) = 5",
                                    String.class)
                            .list());
            assertEquals(
                    List.of(2),
                    session.createQuery("select size(marks) from Student", Integer.class).list());
        });
    }

    @Test
    void associationsAreStoredAndChanged() {
        factory.inTransaction(session -> session.persist(student()));
        factory.inTransaction(session -> {
            Student found = only(session, Student.class);
            assertEquals(2, found.courses.size());
            assertEquals(List.of(1, 2), found.exams.stream().map(exam -> exam.id.term()).toList());
            assertNotNull(found.desk);
            assertEquals(7, found.desk.number);
            Student other = new Student("Bob");
            other.courses.addAll(found.courses);
            session.persist(other);
            found.courses.removeIf(course -> course.title.equals("Sets"));
            found.exams.remove(0);
        });
        factory.inTransaction(session -> {
            assertEquals(
                    List.of("Ann", "Bob"),
                    session.createQuery(
                                    "select s.name from Course c join c.students s where c.title = 'Logic' order by s.name",
                                    String.class)
                            .list());
            assertEquals(
                    List.of("Bob"),
                    session.createQuery(
                                    "select name from Student s where exists (select 1 from s.courses c where c.title = 'Sets')",
                                    String.class)
                            .list());
            assertEquals(
                    1L,
                    session.createQuery("select count(*) from Exam", Long.class).getSingleResult());
            session.createQuery("from Student", Student.class).list().forEach(session::remove);
        });
        factory.inTransaction(session -> {
            assertEquals(
                    0L,
                    session.createQuery("select count(*) from Student", Long.class)
                            .getSingleResult());
            assertEquals(
                    2L,
                    session.createQuery("select count(*) from Course", Long.class)
                            .getSingleResult());
        });
    }

    @Test
    void associationsAreFetchedByGraphAndByJoin() {
        factory.inTransaction(session -> {
            session.persist(student());
            session.persist(new Student("Bob"));
        });
        factory.inTransaction(session -> {
            List<Student> joined =
                    session.createQuery(
                                    "select distinct s from Student s left join fetch s.courses left join"
                                            + " fetch s.nicknames order by s.name",
                                    Student.class)
                            .list();
            assertEquals(2, joined.size());
            assertEquals(2, joined.getFirst().courses.size());
            assertEquals(2, joined.getFirst().nicknames.size());
        });
    }

    @Test
    void joinedSubclassesAreStoredChangedAndDeletedInBulk() {
        factory.inTransaction(session -> {
            for (int i = 0; i < 5; i++) {
                Car car = new Car();
                car.plate = "C" + i;
                car.seats = i;
                session.persist(car);
                Truck truck = new Truck();
                truck.plate = "T" + i;
                truck.load = BigDecimal.valueOf(i);
                session.persist(truck);
            }
        });
        factory.inTransaction(session -> {
            assertEquals(
                    10L,
                    session.createQuery("select count(*) from Vehicle", Long.class)
                            .getSingleResult());
            assertEquals(
                    List.of("C4"),
                    session.createQuery(
                                    "select plate from Vehicle v where treat(v as Car).seats > 3",
                                    String.class)
                            .list());
            assertEquals(
                    2,
                    session.createMutationQuery(
                                    "update Car set plate = plate || '!', seats = seats + 1 where seats < 2")
                            .executeUpdate());
            assertEquals(
                    List.of("C0!", "C1!"),
                    session.createQuery(
                                    "select plate from Car where plate like '%!' order by plate",
                                    String.class)
                            .list());
            assertEquals(
                    3, session.createMutationQuery("delete Truck where load >= 2").executeUpdate());
            assertEquals(
                    5,
                    session.createMutationQuery(
                                    "insert into Car (plate, seats) select plate || 'x', seats from Car")
                            .executeUpdate());
            assertEquals(12, session.createMutationQuery("delete Vehicle").executeUpdate());
        });
    }

    @Test
    void subclassesInOneTableAndInTablesOfTheirOwnAreAsked() {
        factory.inTransaction(session -> {
            Cash cash = new Cash();
            cash.amount = 5;
            session.persist(cash);
            Card card = new Card();
            card.amount = 7;
            card.number = "12";
            session.persist(card);
            Circle circle = new Circle();
            circle.colour = "red";
            circle.radius = 1.5;
            session.persist(circle);
            Square square = new Square();
            square.colour = "blue";
            session.persist(square);
        });
        factory.inTransaction(session -> {
            List<Payment> payments =
                    session.createQuery("from Payment order by amount", Payment.class).list();
            assertTrue(payments.get(0) instanceof Cash);
            assertTrue(payments.get(1) instanceof Card);
            List<Shape> shapes =
                    session.createQuery("from Shape order by colour", Shape.class).list();
            assertTrue(shapes.get(0) instanceof Square);
            assertTrue(shapes.get(1) instanceof Circle);
            assertEquals(1.5, ((Circle) shapes.get(1)).radius);
            assertEquals(1, session.createQuery("from Square", Square.class).list().size());
            assertEquals(
                    List.of("red"),
                    session.createQuery(
                                    "select colour from Shape s where type(s) = Circle",
                                    String.class)
                            .list());
            assertEquals(
                    2,
                    session.createMutationQuery("update Payment set amount = amount * 2")
                            .executeUpdate());
            assertEquals(
                    2,
                    session.createMutationQuery("update Shape set colour = 'x'").executeUpdate());
        });
    }

    @Test
    void arraysJsonAndTimesComeBackAsTheyWere() {
        UUID id = UUID.randomUUID();
        Instant instant = Instant.parse("2024-02-29T12:30:00.123456Z");
        factory.inTransaction(session -> {
            Measure measure = new Measure();
            measure.id = id;
            measure.numbers = new int[] {3, 1, 2};
            measure.words = new String[] {"a", "b'c"};
            measure.list = new ArrayList<>(List.of("x", "y"));
            measure.truth = true;
            measure.duration = Duration.ofMillis(1_500);
            measure.year = Year.of(2024);
            measure.zoned = instant.atZone(ZoneOffset.ofHours(3));
            measure.moved = instant.atOffset(ZoneOffset.ofHours(-5));
            measure.instant = instant;
            measure.local = LocalDateTime.of(2024, 2, 29, 1, 2, 3);
            measure.time = LocalTime.of(4, 5, 6);
            measure.other = UUID.randomUUID();
            measure.document = Map.of("k", "v");
            measure.documents = List.of(Map.of("k", "w"));
            measure.note = new Note("two", 2);
            session.persist(measure);
        });
        factory.inTransaction(session -> {
            Measure found = session.find(Measure.class, id);
            assertArrayEquals(new int[] {3, 1, 2}, found.numbers);
            assertArrayEquals(new String[] {"a", "b'c"}, found.words);
            assertEquals(List.of("x", "y"), found.list);
            assertEquals(Duration.ofMillis(1_500), found.duration);
            assertEquals(Year.of(2024), found.year);
            ZonedDateTime zoned = found.zoned;
            OffsetDateTime moved = found.moved;
            assertNotNull(zoned);
            assertNotNull(moved);
            assertEquals(instant, zoned.toInstant());
            assertEquals(instant, moved.toInstant());
            assertEquals(instant, found.instant);
            assertEquals(Map.of("k", "v"), found.document);
            assertEquals(List.of(Map.of("k", "w")), found.documents);
            assertNotNull(found.note);
            assertEquals(2, found.note.weight);
            assertNotNull(found.created);
            assertNotNull(found.updated);
            assertEquals(
                    List.of(id),
                    session.createQuery(
                                    "select m.id from Measure m where m.instant = :at", UUID.class)
                            .setParameter("at", instant)
                            .list());
        });
    }

    @Test
    void arraysAreAskedInHql() {
        factory.inTransaction(session -> {
            Measure measure = new Measure();
            measure.numbers = new int[] {3, 1, 2};
            measure.list = List.of("x", "y");
            session.persist(measure);
        });
        factory.inTransaction(session -> {
            assertEquals(
                    1,
                    session.createQuery(
                                    "from Measure where array_contains(list, 'y')", Measure.class)
                            .list()
                            .size());
            assertEquals(
                    List.of(3),
                    session.createQuery("select array_length(numbers) from Measure", Integer.class)
                            .list());
            assertEquals(
                    List.of("y"),
                    session.createQuery("select list[2] from Measure", String.class).list());
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "array_to_string(array_append(numbers, 4), ',')          | 3,1,2,4",
                "array_to_string(array_prepend(0, numbers), ',')         | 0,3,1,2",
                "array_to_string(array_concat(numbers, numbers), ',')    | 3,1,2,3,1,2",
                "array_to_string(array_remove(numbers, 1), ',')          | 3,2",
                "array_to_string(array_set(numbers, 2, 7), ',')          | 3,7,2",
                "array_to_string(array_slice(numbers, 2, 3), ',')        | 1,2",
                "array_to_string(array(1, 2), ',')                       | 1,2",
                "array_position(numbers, 2)                              | 3",
                "array_contains(numbers, 2)                              | true",
                "array_includes(numbers, array(2, 3))                    | true",
            })
    void functionsOfArraysAreAsked(String expression, String expected) {
        factory.inTransaction(session -> {
            Measure measure = new Measure();
            measure.numbers = new int[] {3, 1, 2};
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
    void commonTableExpressionsAndWindowsAreAsked() {
        factory.inTransaction(session -> {
            Category root = new Category("root", null);
            Category child = new Category("child", root);
            session.persist(root);
            session.persist(child);
            session.persist(new Category("leaf", child));
            session.persist(new Category("other", null));
        });
        factory.inTransaction(session -> {
            assertEquals(
                    List.of("root", "child", "leaf"),
                    session.createQuery(
                                    "with tree as (select c.id id, c.name name, 0 depth from Category c where"
                                            + " c.name = 'root' union all select c.id id, c.name name, t.depth + 1"
                                            + " depth from tree t join Category c on c.parent.id = t.id) select"
                                            + " t.name from tree t order by t.depth",
                                    String.class)
                            .list());
            assertEquals(
                    List.of(1L, 2L, 3L, 4L),
                    session.createQuery(
                                    "select rank() over (order by name) from Category order by name",
                                    Long.class)
                            .list());
            assertEquals(
                    List.of("child", "leaf"),
                    session.createQuery(
                                    "select q.n from (select c.name n, row_number() over (order by c.name) r"
                                            + " from Category c) q where q.r <= 2 order by q.r",
                                    String.class)
                            .list());
            assertEquals(
                    List.of("child", "leaf", "other", "root"),
                    session.createQuery(
                                    "select name from Category where name < 'm' union select name from"
                                            + " Category where name > 'm' order by 1",
                                    String.class)
                            .list());
        });
    }

    @Test
    void locksAreTakenAndVersionsForced() {
        factory.inTransaction(session -> session.persist(new Student("Ann")));
        Long id =
                Objects.requireNonNull(
                        factory.fromTransaction(session -> only(session, Student.class).id));
        for (LockModeType mode :
                List.of(
                        LockModeType.PESSIMISTIC_READ,
                        LockModeType.PESSIMISTIC_WRITE,
                        LockModeType.OPTIMISTIC)) {
            factory.inTransaction(session -> session.find(Student.class, id, mode));
        }
        factory.inTransaction(session ->
                session.find(Student.class, id, LockModeType.PESSIMISTIC_FORCE_INCREMENT));
        factory.inTransaction(session ->
                session.find(Student.class, id, LockModeType.OPTIMISTIC_FORCE_INCREMENT));
        factory.inTransaction(session -> assertEquals(2, session.find(Student.class, id).version));
        try (Session one = factory.openSession()) {
            one.beginTransaction();
            Student mine = one.find(Student.class, id);
            factory.inTransaction(session -> session.find(Student.class, id).name = "Changed");
            mine.name = "Mine";
            assertThrows(OptimisticLockException.class, one.getTransaction()::commit);
        }
    }

    @Test
    void createdSchemaIsValidAndIsUpdatedToItself() {
        factory("validate").close();
        factory("update").close();
        factory("validate").close();
    }

    private static <T> T only(Session session, Class<T> type) {
        return session.createQuery("from " + type.getSimpleName(), type).getSingleResult();
    }

    @Test
    void vehiclesAreLockedThroughTheirJoin() {
        factory.inTransaction(session -> {
            Car car = new Car();
            car.plate = "C";
            session.persist(car);
        });
        factory.inTransaction(session -> {
            Vehicle found =
                    session.createQuery("from Vehicle", Vehicle.class)
                            .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                            .getSingleResult();
            assertEquals("C", found.plate);
        });
    }
}
