package dev.oriel.hibernate;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Index;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.LocalDate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An entity whose id is of a sequence, fifty at a time, and which counts its changes.
@Entity
@Table(indexes = @Index(name = "book_published", columnList = "published"))
class Book {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "book_ids")
    @SequenceGenerator(name = "book_ids", sequenceName = "book_ids", allocationSize = 50)
    private @Nullable Long id;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @JoinColumn(name = "author_id")
    private Author author = new Author();

    @Column(nullable = false, length = 200)
    private String title = "";

    private LocalDate published = LocalDate.EPOCH;

    @Version private int version;

    protected Book() {}

    Book(Author author, String title, int year) {
        this.author = author;
        this.title = title;
        this.published = LocalDate.of(year, 2, 28);
    }

    Long id() {
        return Objects.requireNonNull(id);
    }

    Author author() {
        return author;
    }

    String title() {
        return title;
    }

    void title(String other) {
        title = other;
    }

    LocalDate published() {
        return published;
    }

    int version() {
        return version;
    }
}
