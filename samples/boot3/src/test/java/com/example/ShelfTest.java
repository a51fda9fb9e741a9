package com.example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.orm.jpa.DataJpaTest;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;

@DataJpaTest
class ShelfTest {
    @Autowired Books books;
    @Autowired Authors authors;
    @Autowired EntityManager entities;

    private void write() {
        Author ann = new Author("Ann");
        ann.write("One", "a", "b");
        ann.write("Two", "a");
        authors.saveAndFlush(ann);
        entities.clear();
    }

    @Test
    void valuesOfAllTypesAreReadAgain() {
        write();
        Book book = books.findAll(Sort.by("title")).getFirst();
        assertEquals("long", book.text);
        assertArrayEquals(new String[] {"a", "b"}, book.tags);
        assertArrayEquals(new byte[] {1, 2}, book.picture);
        assertEquals(3, book.info.get("pages"));
        assertEquals(Book.State.NEW, book.state);
        assertEquals(Book.State.READ, book.kept);
        assertEquals(Duration.ofMinutes(3), book.length);
        assertEquals(Instant.EPOCH, book.made);
        assertEquals(new UUID(1, 2), book.code);
        assertEquals(Set.of("x", "y"), book.words);
        assertEquals("Ann", book.author.name);
    }

    @Test
    void queriesRun() {
        write();
        assertEquals(1, books.findByTitleContainingIgnoreCaseOrderByTitle("tw").size());
        assertEquals(2, books.tagged("a").size());
        assertEquals(2L, books.counts().getFirst()[1]);
        assertEquals(2, books.ranked().size());
        assertEquals(2, books.ofPages("3").size());
        assertEquals("Two", books.findAll(PageRequest.of(1, 1, Sort.by("title"))).getContent().getFirst().title);
        Book book = books.findAll().getFirst();
        assertNotNull(books.locked(book.id));
        assertEquals(2, books.raise(Book.State.NEW));
    }

    @Test
    void errorsAreTranslated() {
        write();
        Author bob = new Author("Bob");
        bob.write("One");
        assertThrows(DataIntegrityViolationException.class, () -> authors.saveAndFlush(bob));
    }
}
