package com.example;

import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.time.LocalDate;

/** Work to be done. */
@Entity
public class Task {
    /** Progress of a task. */
    public enum State {
        OPEN,
        DONE
    }

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    String title;
    LocalDate due;
    String[] tags;

    @Enumerated(EnumType.STRING)
    State state = State.OPEN;

    protected Task() {}

    public Task(String title, LocalDate due, String... tags) {
        this.title = title;
        this.due = due;
        this.tags = tags;
    }

    public String title() {
        return title;
    }
}
