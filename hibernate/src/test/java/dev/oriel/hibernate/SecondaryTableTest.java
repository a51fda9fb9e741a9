package dev.oriel.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.SecondaryTable;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Statements over entities with a second table, in which a row may be missing.
@Timeout(300)
class SecondaryTableTest {
    @SuppressWarnings("NullAway.Init")
    private SessionFactory factory;

    @BeforeEach
    void open() {
        factory =
                new Configuration()
                        .setProperty("hibernate.connection.url", "jdbc:oriel:mem:secondary")
                        .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                        .setProperty("hibernate.hbm2ddl.halt_on_error", "true")
                        .addAnnotatedClass(Document.class)
                        .addAnnotatedClass(Letter.class)
                        .buildSessionFactory();
        factory.inTransaction(session -> {
            for (int i = 1; i <= 3; i++) {
                Letter letter = new Letter();
                letter.id = i;
                letter.title = "letter " + i;
                letter.note = i == 2 ? null : "note " + i;
                session.persist(letter);
            }
        });
    }

    @AfterEach
    void close() {
        factory.close();
    }

    @Entity(name = "Document")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Document {
        @Id int id;
        @Nullable String title;
    }

    @Entity(name = "Letter")
    @SecondaryTable(name = "Letter_Note")
    static class Letter extends Document {
        int pages;

        @Column(table = "Letter_Note")
        @Nullable String note;
    }

    private int execute(String statement) {
        return factory.fromTransaction(
                session -> session.createMutationQuery(statement).executeUpdate());
    }

    private @Nullable String note(int id) {
        return factory.fromTransaction(session -> session.find(Letter.class, id).note);
    }

    @Test
    void updateInsertsTheMissingRowsAndChangesTheOthers() {
        assertEquals(
                2, execute("update Letter set note = 'new', title = 'x', pages = 4 where id < 3"));
        assertEquals("new", note(1));
        assertEquals("new", note(2));
        assertEquals("note 3", note(3));
        assertEquals(
                2L,
                (long)
                        factory.fromTransaction(session ->
                                session.createSelectionQuery(
                                                "select count(*) from Letter where title = 'x' and pages = 4",
                                                Long.class)
                                        .getSingleResult()));
    }

    @Test
    void updateToNullAndDeletion() {
        assertEquals(3, execute("update Letter set note = null"));
        assertNull(note(1));
        assertEquals(1, execute("delete from Letter where id = 1"));
        assertEquals(
                2L,
                (long)
                        factory.fromTransaction(session ->
                                session.createSelectionQuery(
                                                "select count(*) from Document", Long.class)
                                        .getSingleResult()));
    }
}
