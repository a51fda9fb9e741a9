package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;

/** Runs on a database in memory, and leaves that of the application alone. */
@DataJpaTest
class NotesTest {
    @Autowired Notes notes;

    @Test
    void notesOfAMonthComeInOrder() {
        notes.save(new Note("second", LocalDate.of(2024, 5, 2), Set.of()));
        notes.save(new Note("first", LocalDate.of(2024, 5, 1), Set.of("a")));
        notes.save(new Note("other", LocalDate.of(2024, 6, 1), Set.of("a")));
        assertEquals(
                List.of("first", "second"),
                notes.findByDayBetweenOrderByDay(LocalDate.of(2024, 5, 1), LocalDate.of(2024, 5, 31))
                        .stream()
                        .map(Note::text)
                        .toList());
        assertEquals(2, notes.tagged("a").size());
    }
}
