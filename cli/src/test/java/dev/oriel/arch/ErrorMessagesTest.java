package dev.oriel.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.arch.SourceTree.Source;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// All messages of errors that users can meet, in one file, so that they are read as a whole:
/// `cli/src/test/resources/arch/error-messages.txt`. Run with `-Dupdate=true` to write it anew.
class ErrorMessagesTest {
    private static final String LIST = "cli/src/test/resources/arch/error-messages.txt";

    /// Modules that no user runs.
    private static final Set<String> TOOLS =
            Set.of("bench", "bench-compare", "conformance", "profiler-jmh", "testkit", "samples");

    private static final Pattern VAGUE =
            Pattern.compile(
                    "\\b(what|those|whoever|somebody|someone)\\b", Pattern.CASE_INSENSITIVE);

    private final Set<String> messages = new TreeSet<>();

    ErrorMessagesTest() throws IOException {
        for (Source source : SourceTree.sources()) {
            String module = source.path().substring(0, Math.max(0, source.path().indexOf('/')));
            if (source.isMainJava() && !TOOLS.contains(module)) {
                messages.addAll(ErrorMessages.of(source.text()));
            }
        }
    }

    @Test
    void everyMessageIsListedOnce() throws IOException {
        Path list = SourceTree.root().resolve(LIST);
        if (Boolean.getBoolean("update")) {
            Files.write(list, messages, StandardCharsets.ISO_8859_1);
        }
        Set<String> listed = new TreeSet<>(Files.readAllLines(list, StandardCharsets.ISO_8859_1));
        Set<String> added = new TreeSet<>(messages);
        added.removeAll(listed);
        Set<String> gone = new TreeSet<>(listed);
        gone.removeAll(messages);
        assertTrue(messages.size() > 900, () -> messages.size() + " messages found");
        assertEquals(List.of(), List.copyOf(added), "not listed; read them, then -Dupdate=true");
        assertEquals(List.of(), List.copyOf(gone), "listed, but no longer there; -Dupdate=true");
    }

    @Test
    void messagesNameTheirNouns() {
        List<String> vague = messages.stream().filter(VAGUE.asPredicate()).toList();
        assertEquals(List.of(), vague, "name the thing, or the user, instead");
    }
}
