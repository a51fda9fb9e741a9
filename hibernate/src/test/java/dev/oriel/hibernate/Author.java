package dev.oriel.hibernate;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An entity whose id the database counts.
@Entity
class Author {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    @Column(nullable = false, unique = true, length = 80)
    private String name = "";

    @OneToMany(mappedBy = "author", cascade = CascadeType.ALL, orphanRemoval = true)
    private List<Book> books = new ArrayList<>();

    protected Author() {}

    Author(String name) {
        this.name = name;
    }

    Long id() {
        return Objects.requireNonNull(id);
    }

    String name() {
        return name;
    }

    List<Book> books() {
        return books;
    }

    Book wrote(String title, int year) {
        Book book = new Book(this, title, year);
        books.add(book);
        return book;
    }
}
