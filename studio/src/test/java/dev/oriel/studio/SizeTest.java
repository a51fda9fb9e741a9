package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.ReportScripts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// What the page weighs, and that it is made of the libraries that NOTICE names.
class SizeTest {
    private static final int BYTES_MAX = 450_000;
    private static final Path WEB =
            Path.of("src", "main", "resources", "dev", "oriel", "studio", "web");

    private final Libraries libraries = Libraries.load();

    private static int zipped(byte[] file) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(file);
        }
        return out.size();
    }

    @Test
    void allFilesTogetherKeepWithinTheirLimit() throws IOException {
        int sum = 0;
        try (Stream<Path> own = Files.list(WEB)) {
            for (Path file : own.toList()) {
                sum += zipped(Files.readAllBytes(file));
            }
        }
        for (String module : ReportScripts.names()) {
            String text = Objects.requireNonNull(ReportScripts.module(module));
            sum += zipped(text.getBytes(StandardCharsets.UTF_8));
        }
        for (String path : libraries.paths()) {
            sum += zipped(Objects.requireNonNull(libraries.file(path)));
        }
        assertTrue(sum <= BYTES_MAX, "the page has " + sum + " bytes");
        assertTrue(sum > BYTES_MAX / 2, "files are missing: " + sum + " bytes");
    }

    @Test
    void everyLibraryIsTheOneThatTheNoticeNames() throws Exception {
        String notice = Files.readString(Path.of("..", "NOTICE"));
        for (String path : new TreeSet<>(libraries.paths())) {
            byte[] file = Objects.requireNonNull(libraries.original(path));
            String hash =
                    HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(file));
            String name = path.substring(Libraries.PREFIX.length());
            assertTrue(notice.contains(hash + "  " + name), hash + "  " + name);
        }
    }

    @Test
    void commentsAreLeftOutAndTheRestStays() {
        String script =
                """
                /* a
                   b */
                  // c
                  let a = "// text"; // stays
                  let b = `one
                    // a part of the template
                `;

                  /** d */ let c = /`/;
                // e\
                """;
        assertEquals(
                "let a = \"// text\"; // stays\nlet b = `one\n    // a part of the template\n`;\nlet c = /`/;\n// e\n",
                ScriptText.withoutComments(script));
    }

    @Test
    void noCommentOfALibraryIsTakenForATemplate() throws IOException {
        for (String path : libraries.paths()) {
            String file =
                    new String(
                            Objects.requireNonNull(libraries.file(path)), StandardCharsets.UTF_8);
            assertFalse(path.startsWith("/lib/codemirror") && file.contains("\n/**\n"), path);
        }
    }
}
