package com.example;

import java.time.LocalDate;
import java.util.Set;
import org.springframework.boot.CommandLineRunner;
import org.springframework.stereotype.Component;

/** Writes notes and asks for them when the application starts. */
@Component
public class NoteWriter implements CommandLineRunner {
    private final Notes notes;

    public NoteWriter(Notes notes) {
        this.notes = notes;
    }

    @Override
    public void run(String... arguments) {
        notes.save(new Note("buy bread", LocalDate.of(2024, 5, 1), Set.of("home", "food")));
        notes.save(new Note("write to Ann", LocalDate.of(2024, 5, 3), Set.of("home")));
        System.out.println(
                notes.tagged("food").size()
                        + " of "
                        + notes.count()
                        + " notes are about food, the first is: "
                        + notes.tagged("food").getFirst().text());
    }
}
