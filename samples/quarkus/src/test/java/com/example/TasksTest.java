package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs on a database in memory, and leaves that of the application alone. */
@QuarkusTest
class TasksTest {
    private static final LocalDate DAY = LocalDate.of(2026, 5, 1);

    @Inject Tasks tasks;

    @Test
    void openTasksComeInOrder() {
        tasks.add(new Task("second", DAY.plusDays(1), "a"));
        tasks.add(new Task("first", DAY, "a"));
        tasks.add(new Task("done", DAY, "b"));
        assertEquals(1, tasks.finish("b"));
        assertThrows(IllegalStateException.class, () -> tasks.fail(new Task("none", DAY)));
        assertEquals(List.of("first", "second"), tasks.openUntil(DAY.plusDays(9)).stream().map(Task::title).toList());
    }
}
