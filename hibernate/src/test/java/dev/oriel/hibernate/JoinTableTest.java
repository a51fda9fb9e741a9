package dev.oriel.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.JoinTable;
import jakarta.persistence.ManyToMany;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.SoftDelete;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Deletions of entities that a join table names at both ends.
@Timeout(300)
class JoinTableTest {
    @SuppressWarnings("NullAway.Init")
    private SessionFactory factory;

    @BeforeEach
    void open() {
        factory =
                new Configuration()
                        .setProperty("hibernate.connection.url", "jdbc:oriel:mem:join-tables")
                        .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                        .setProperty("hibernate.hbm2ddl.halt_on_error", "true")
                        .addAnnotatedClass(Plain.class)
                        .addAnnotatedClass(Person.class)
                        .addAnnotatedClass(Worker.class)
                        .addAnnotatedClass(Kept.class)
                        .addAnnotatedClass(KeptWorker.class)
                        .buildSessionFactory();
    }

    @AfterEach
    void close() {
        factory.close();
    }

    @Entity(name = "Plain")
    static class Plain {
        @Id int id;

        @ManyToMany Set<Plain> friends = new HashSet<>();

        @ManyToMany(mappedBy = "friends")
        Set<Plain> friendOf = new HashSet<>();
    }

    @Entity(name = "Person")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Person {
        @Id int id;

        @ElementCollection Set<String> names = new HashSet<>();

        @ManyToMany
        @JoinTable(
                name = "friends",
                joinColumns = @JoinColumn(name = "one"),
                inverseJoinColumns = @JoinColumn(name = "other"))
        Set<Person> friends = new HashSet<>();

        @ManyToMany(mappedBy = "friends")
        Set<Person> friendOf = new HashSet<>();
    }

    @Entity(name = "Worker")
    static class Worker extends Person {
        int wage;
    }

    @Entity(name = "Kept")
    @Inheritance(strategy = InheritanceType.JOINED)
    @SoftDelete
    static class Kept {
        @Id int id;

        @ManyToMany
        @JoinTable(name = "kept_friends")
        Set<Kept> friends = new HashSet<>();

        @ManyToMany(mappedBy = "friends")
        Set<Kept> friendOf = new HashSet<>();
    }

    @Entity(name = "KeptWorker")
    static class KeptWorker extends Kept {
        int wage;
    }

    private static List<?> pairs(Session session, String table) {
        return session.createNativeQuery(
                        "SELECT one || '-' || other FROM " + table + " ORDER BY 1", String.class)
                .list();
    }

    @Test
    void bothEndsAreDeletedOfEntitiesInSeveralTables() {
        factory.inTransaction(session -> {
            Person ann = new Person();
            ann.id = 1;
            ann.names.add("Ann");
            Person bob = new Worker();
            bob.id = 2;
            bob.names.add("Bob");
            Person eve = new Worker();
            eve.id = 3;
            ann.friends.add(bob);
            bob.friends.add(ann);
            bob.friends.add(eve);
            eve.friends.add(bob);
            List.of(ann, bob, eve).forEach(session::persist);
        });
        factory.inTransaction(session ->
                assertEquals(
                        1,
                        session.createMutationQuery("delete from Person where id = 1")
                                .executeUpdate()));
        factory.inTransaction(session -> {
            assertEquals(List.of("2-3", "3-2"), pairs(session, "friends"));
            assertEquals(
                    1,
                    session.createMutationQuery("delete from Worker where id = :id and wage = 0")
                            .setParameter("id", 3)
                            .executeUpdate());
            assertEquals(List.of(), pairs(session, "friends"));
            assertEquals(
                    List.of(2), session.createQuery("select id from Person", Integer.class).list());
            assertEquals(1, session.createMutationQuery("delete Person").executeUpdate());
        });
    }

    @Test
    void bothEndsAreDeletedOfEntitiesInOneTable() {
        factory.inTransaction(session -> {
            Plain one = new Plain();
            one.id = 1;
            Plain two = new Plain();
            two.id = 2;
            one.friends.add(two);
            two.friends.add(one);
            List.of(one, two).forEach(session::persist);
        });
        factory.inTransaction(session -> {
            assertEquals(
                    1, session.createMutationQuery("delete Plain where id = 1").executeUpdate());
            assertEquals(1, session.createMutationQuery("delete Plain").executeUpdate());
        });
    }

    @Test
    void bothEndsAreDeletedOfEntitiesThatAreMarked() {
        factory.inTransaction(session -> {
            Kept one = new KeptWorker();
            one.id = 1;
            Kept two = new Kept();
            two.id = 2;
            one.friends.add(two);
            two.friends.add(one);
            List.of(one, two).forEach(session::persist);
        });
        factory.inTransaction(session -> {
            assertEquals(
                    1, session.createMutationQuery("delete Kept where id = 1").executeUpdate());
            assertEquals(
                    List.of(2), session.createQuery("select id from Kept", Integer.class).list());
            assertEquals(
                    0L,
                    session.createNativeQuery("SELECT COUNT(*) FROM kept_friends", Long.class)
                            .getSingleResult());
        });
    }
}
