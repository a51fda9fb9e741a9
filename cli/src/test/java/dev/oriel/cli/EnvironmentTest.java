package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
    @Test
    void terminalsAreColoured() {
        assertTrue(environment(true, Map.of("TERM", "xterm")).colour());
    }

    @Test
    void noColorTurnsColoursOff() {
        assertFalse(environment(true, Map.of("TERM", "xterm", "NO_COLOR", "1")).colour());
        assertTrue(environment(true, Map.of("TERM", "xterm", "NO_COLOR", "")).colour());
    }

    @Test
    void pipesAndDumbTerminalsAreNotColoured() {
        assertFalse(environment(false, Map.of("TERM", "xterm")).colour());
        assertFalse(environment(true, Map.of("TERM", "dumb")).colour());
        assertFalse(environment(true, Map.of()).colour());
    }

    @Test
    void outputThatIsLostIsAFailure() {
        assertEquals("No space left on device", lost("No space left on device", false));
        assertNull(lost("Broken pipe", false));
        assertNull(lost("Tubería rota", true), "as the system's language has it");
    }

    /// What remains known of a write that fails with `message`.
    private static @Nullable String lost(String message, boolean pipe) {
        Environment.Outlet outlet =
                new Environment.Outlet(
                        new OutputStream() {
                            @Override
                            public void write(int b) throws IOException {
                                throw new IOException(message);
                            }
                        },
                        pipe);
        PrintWriter out = new PrintWriter(outlet, false, StandardCharsets.UTF_8);
        out.println("rows");
        assertTrue(out.checkError());
        IOException lost = outlet.lost();
        return lost == null ? null : lost.getMessage();
    }

    @Test
    void theExitCodeSaysThatOutputIsLost() {
        StringWriter err = new StringWriter();
        Environment lost =
                new Environment(
                        InputStream.nullInputStream(),
                        new PrintWriter(Writer.nullWriter()),
                        new PrintWriter(err),
                        false,
                        80,
                        Map.of(),
                        Path.of(""),
                        "oriel",
                        () -> new IOException("No space left on device"));
        assertEquals(1, Main.withOutput(0, lost));
        assertTrue(err.toString().contains("No space left on device"), err.toString());
        assertEquals(2, Main.withOutput(2, lost));
        assertEquals(0, Main.withOutput(0, environment(false, Map.of())));
    }

    private static Environment environment(boolean terminal, Map<String, String> environment) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return new Environment(
                InputStream.nullInputStream(),
                nowhere,
                nowhere,
                terminal,
                80,
                environment,
                Path.of(""),
                "oriel",
                () -> null);
    }
}
