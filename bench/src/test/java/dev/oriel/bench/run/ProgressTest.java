package dev.oriel.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ProgressTest {
    @Test
    void whatIsLeftIsToldInHours() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        Progress progress = new Progress(new PrintStream(text, true, StandardCharsets.UTF_8), 0);
        Progress.Left left = new Progress.Left(37, Duration.ofMinutes(193));
        progress.show(
                "jdbm/commits: lmdb (round 1)",
                "warming up",
                Duration.ofSeconds(723),
                Duration.ofHours(9),
                left);
        progress.show("jdbm/commits: lmdb (round 1)", "8", Duration.ZERO, Duration.ZERO, left);
        assertEquals(
                "12:03 of at most 540 min  jdbm/commits: lmdb (round 1), 37 left in this pass, about 3 h 13 min\n",
                text.toString(StandardCharsets.UTF_8));
    }

    @Test
    void durationsAreRoundedToMinutes() {
        assertEquals("0 min", Progress.hours(Duration.ofSeconds(29)));
        assertEquals("1 min", Progress.hours(Duration.ofSeconds(31)));
        assertEquals("59 min", Progress.hours(Duration.ofSeconds(3569)));
        assertEquals("1 h 0 min", Progress.hours(Duration.ofSeconds(3571)));
    }
}
