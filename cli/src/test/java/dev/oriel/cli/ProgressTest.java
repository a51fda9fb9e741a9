package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final long SECOND = 1_000_000_000L;

    private final StringWriter printed = new StringWriter();
    private final AtomicLong clock = new AtomicLong();

    @Test
    void barShowsRateAndTimeLeft() {
        Progress progress = progress(80);
        clock.set(2 * SECOND);
        progress.at(250);
        assertEquals(
                "\r  routes         [######------------------] 250 of 1,000, 125.0/s, 6.0 s left\033[K",
                printed.toString());
    }

    @Test
    void barIsDrawnTenTimesASecondAtMost() {
        Progress progress = progress(80);
        clock.set(SECOND / 20);
        progress.at(100);
        assertEquals("", printed.toString());
    }

    @Test
    void pipesGetPlainLinesOnly() {
        try (Progress progress = progress(Screen.ENDLESS)) {
            clock.set(5 * SECOND);
            progress.at(500);
            clock.set(11 * SECOND);
            progress.at(800);
            clock.set(20 * SECOND);
            progress.at(1_000);
        }
        String text = printed.toString();
        assertEquals(2, text.lines().count(), text);
        assertTrue(text.contains("800 of 1,000"), text);
        assertTrue(text.contains("1,000 in   20.00 s"), text);
        assertTrue(text.indexOf('\r') < 0, text);
    }

    private Progress progress(int columns) {
        Screen screen = new Screen(new PrintWriter(printed, true), columns, false);
        return new Progress(screen, "routes", 1_000, clock::get);
    }
}
