package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SurroundingsTest {
    @Test
    void terminalsAreColoured() {
        assertTrue(surroundings(true, Map.of("TERM", "xterm")).colour());
    }

    @Test
    void noColorTurnsColoursOff() {
        assertFalse(surroundings(true, Map.of("TERM", "xterm", "NO_COLOR", "1")).colour());
        assertTrue(surroundings(true, Map.of("TERM", "xterm", "NO_COLOR", "")).colour());
    }

    @Test
    void pipesAndDumbTerminalsAreNotColoured() {
        assertFalse(surroundings(false, Map.of("TERM", "xterm")).colour());
        assertFalse(surroundings(true, Map.of("TERM", "dumb")).colour());
        assertFalse(surroundings(true, Map.of()).colour());
    }

    private static Surroundings surroundings(boolean terminal, Map<String, String> environment) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return new Surroundings(
                InputStream.nullInputStream(),
                nowhere,
                nowhere,
                terminal,
                80,
                environment,
                Path.of(""),
                "oriel");
    }
}
