package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.compare.Program;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The programs of `samples/investigations`, by the commands of the guide: before, advice names the
/// cause with its line; after, it does not.
class InvestigationsTest {
    private static final Path ROOT = Path.of(System.getProperty("oriel.root", ".."));
    private static final Path SAMPLES = ROOT.resolve("samples/investigations");
    private static final Path GUIDE = ROOT.resolve("docs/investigations.md");
    private static final String JAVA = AgentJar.own().toString();

    /// A sampler may see too little on a busy machine.
    private static final int TRIES = 10;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private static Path folder;

    @BeforeAll
    static void compile() throws Exception {
        PackedAgent.in(folder);
        for (String side : List.of("before", "after")) {
            List<Path> sources = new ArrayList<>();
            for (String part : List.of("common", side)) {
                try (Stream<Path> files = Files.walk(SAMPLES.resolve(part))) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
            PackedAgent.compile(folder.resolve(side), sources);
        }
    }

    @AfterAll
    static void forgetTheAgent() {
        System.clearProperty("oriel.agent");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "slots | A search that looks at every element | slots/FreeSlots | take |"
                        + " isFree(slot)",
                "ranges | An iterator or a view made for each element | ranges/Index | above |"
                        + " subList(i",
                "buffers | A large buffer for each call | ../common/com/example/buffers/Output |"
                        + " <init> | [4_096]",
                "checks | A message built for a check that passes | checks/Property | <init> | is"
                        + " no value of",
                "status | An array copied for each call | status/Status | of | : values()",
                "pages | A map that never shrinks | pages/PageTable | set | computeIfAbsent"
            })
    void adviceNamesTheCauseAndItsLineUntilItIsGone(
            String name, String title, String file, String method, String code) throws Exception {
        List<String> command = command(name);
        int line = line(file, code);
        String type =
                "com.example." + name + file.substring(file.lastIndexOf('/')).replace('/', '.');
        String place = "  at " + type + "." + method + ":" + line + "\n";
        String before = "";
        for (int i = 0; i < TRIES && !names(before, title, place); i++) {
            before = run(command, "before");
        }
        assertTrue(names(before, title, place), title + place + " is not in\n" + before);
        String after = run(command, "after");
        for (int i = 1; i < TRIES && after.contains(title); i++) {
            after = run(command, "after"); // of few samples, one too many is a share
        }
        assertFalse(after.contains(title), after);
    }

    /// What was changed is how it is done, and not what.
    @ParameterizedTest
    @CsvSource({
        "slots.Inserts, 500",
        "ranges.Queries, 50",
        "buffers.Vertices, 500",
        "checks.Properties, 500",
        "status.Responses, 5",
        "pages.Transactions, 50"
    })
    void bothSidesDoTheSameWork(String program, String size) throws Exception {
        String before = said("before", program, size);
        assertTrue(before.matches("@oriel check -?\\d{3,}\\R"), before);
        assertEquals(before, said("after", program, size));
    }

    private static String said(String side, String program, String size) throws Exception {
        PrintStream usual = System.out;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        URL[] classes = {folder.resolve(side).toUri().toURL()};
        try (URLClassLoader loader =
                        new URLClassLoader(classes, ClassLoader.getPlatformClassLoader());
                PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            loader.loadClass("com.example." + program)
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) new String[] {size});
        } finally {
            System.setOut(usual);
        }
        return said.toString(StandardCharsets.UTF_8);
    }

    /// The buffer is made in a constructor; whose it is, is told with it.
    @Test
    void largeBufferIsToldWithItsOwner() throws Exception {
        int line = line("buffers/PropertyCodec", "new Output()");
        String owner = "mostly for com.example.buffers.PropertyCodec.encode:" + line;
        String said = "";
        for (int i = 0; i < TRIES && !said.contains(owner); i++) {
            said = run(command("buffers"), "before");
        }
        assertTrue(said.contains(owner), said);
    }

    private static boolean names(String said, String title, String place) {
        int at = said.indexOf("\n" + title);
        return at >= 0 && said.indexOf(place, at) == said.indexOf('\n', at + 1) + 1;
    }

    /// The words after `oriel` of the guide's command for an investigation.
    private static List<String> command(String name) throws IOException {
        String start = "oriel profile run -i 'com.example." + name + ".**'";
        String line =
                Files.readAllLines(GUIDE).stream()
                        .filter(each -> each.startsWith(start))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("the guide lacks " + start));
        List<String> words = Program.words(line);
        return words.subList(1, words.size());
    }

    private static String run(List<String> command, String side) throws IOException {
        List<String> words = new ArrayList<>();
        for (String word : command) {
            words.add(
                    switch (word) {
                        case "before" -> folder.resolve(side).toString();
                        case "java" -> JAVA;
                        default -> word;
                    });
        }
        words.addAll(2, List.of("-o", folder.resolve("profile.orun").toString()));
        Run run = Run.oriel(folder, "", words.toArray(String[]::new));
        assertEquals(0, run.exitCode(), run.out() + run.err());
        return run.out();
    }

    private static int line(String file, String code) throws IOException {
        Path path = SAMPLES.resolve("before/com/example/" + file + ".java");
        if (file.startsWith("..")) {
            path = SAMPLES.resolve(file.substring(3) + ".java");
        }
        List<String> lines = Files.readAllLines(path);
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(code)) {
                return i + 1;
            }
        }
        throw new AssertionError(path + " has no line with " + code);
    }
}
