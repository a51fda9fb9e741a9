package com.example;

import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.time.LocalDate;
import java.util.Set;

/** A note with its tags. */
@Entity
public class Note {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    String text;
    LocalDate day;

    @ElementCollection(fetch = FetchType.EAGER)
    Set<String> tags;

    protected Note() {}

    public Note(String text, LocalDate day, Set<String> tags) {
        this.text = text;
        this.day = day;
        this.tags = tags;
    }

    public String text() {
        return text;
    }
}
