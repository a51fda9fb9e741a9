package com.example;

import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Lob;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/** A book with columns of many types. */
@Entity
public class Book {
    /** Whether it was read. */
    public enum State {
        NEW,
        READ
    }

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    @Column(unique = true)
    String title;

    @Lob String text = "long";

    LocalDate day = LocalDate.of(2026, 5, 1);
    Instant made = Instant.EPOCH;
    UUID code = new UUID(1, 2);
    BigDecimal price = new BigDecimal("10.50");
    Duration length = Duration.ofMinutes(3);
    byte[] picture = {1, 2};
    String[] tags;

    @Enumerated(EnumType.STRING)
    State state = State.NEW;

    @Enumerated
    @JdbcTypeCode(SqlTypes.NAMED_ENUM)
    State kept = State.READ;

    @JdbcTypeCode(SqlTypes.JSON)
    Map<String, Object> info = Map.of("pages", 3);

    @ElementCollection Set<String> words = new TreeSet<>(Set.of("x", "y"));
    @ManyToOne Author author;
    @Version int version;

    protected Book() {}

    Book(Author author, String title, String... tags) {
        this.author = author;
        this.title = title;
        this.tags = tags;
    }
}
