package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.compare.Program;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Follows docs/tutorial.md from its first line to its last: statements, traversals, programs and commands. The demo
/// only loads its data, `compare` runs each side once, and the studio is not opened.
class TutorialTest {
    private static final String DATABASE = "demo/db";

    private static final String NOT_COMPARED = "(not compared)";

    /// Words of commands that name files of the reader's folder.
    private static final Set<String> PATHS = Set.of(DATABASE, "copy");

    @TempDir private Path folder;

    @AfterEach
    void forgetTheAgent() {
        System.clearProperty("oriel.agent");
    }

    @Test
    void theHourGoesAsThePageSays() throws Exception {
        PackedAgent.in(folder);
        int examples = PageExamples.check("tutorial.md", TutorialTest::masked, this::run);
        assertTrue(examples > 30, "examples found: " + examples);
    }

    private @Nullable String run(String language, String code) throws Exception {
        return switch (language) {
            case "sql" -> oriel(code, List.of("sql", DATABASE));
            case "groovy" -> oriel(code, List.of("gremlin", DATABASE, "--graph", "air"));
            case "java" -> save(code);
            case "text" -> null; // a message
            case "sh" -> {
                StringBuilder printed = new StringBuilder();
                for (String line : code.lines().toList()) {
                    printed.append(command(line));
                }
                boolean compared = !printed.toString().contains(NOT_COMPARED);
                yield compared ? printed.toString() : null;
            }
            default -> throw new AssertionError("no language of the tutorial: " + language);
        };
    }

    private String command(String line) throws Exception {
        List<String> words = Program.words(line.replace("$CLASSPATH", classPath()));
        return switch (words.getFirst()) {
            case "export", "mkdir", "cd" -> "";
            case "javac" -> compile(words.get(2), words.subList(3, words.size()));
            case "java" -> {
                String file = words.get(1);
                yield compile("programs", List.of(file))
                        + main("programs", file.replace(".java", ""));
            }
            case "oriel" -> oriel(words.subList(1, words.size()));
            default -> throw new AssertionError("no command of the tutorial: " + line);
        };
    }

    private String oriel(List<String> words) throws Exception {
        return switch (words.getFirst()) {
            case "demo" -> {
                load();
                yield NOT_COMPARED;
            }
            case "sql", "gremlin", "studio" -> { // a shell, or a page, for the reader
                parsed(words);
                yield "";
            }
            case "compare" -> {
                compare(words);
                yield NOT_COMPARED;
            }
            default -> oriel("", placed(words));
        };
    }

    /// Places the profile and the program of `profile run` in the reader's folder.
    private List<String> placed(List<String> words) {
        List<String> placed = new ArrayList<>(words);
        int command = words.indexOf("--");
        if (command >= 0) {
            placed.addAll(command, List.of("-o", folder + "/profile.orun"));
            placed.replaceAll(word -> word.equals("java") ? AgentJar.own().toString() : word);
            placed.replaceAll(word -> word.startsWith("before:") ? folder + "/" + word : word);
        }
        return placed;
    }

    private String oriel(String in, List<String> words) {
        String[] placed =
                words.stream()
                        .map(word -> PATHS.contains(word) ? folder.resolve(word).toString() : word)
                        .toArray(String[]::new);
        Run run = Run.oriel(folder, in, placed);
        assertEquals(0, run.exitCode(), in + run.err());
        return run.out().replace(folder + File.separator, "");
    }

    /// Runs both sides, which must print the same.
    private void compare(List<String> words) throws Exception {
        parsed(words);
        List<String> printed = new ArrayList<>();
        for (String side : List.of("--a", "--b")) {
            List<String> program = Program.words(words.get(words.indexOf(side) + 1));
            String classes =
                    program.get(2).substring(0, program.get(2).indexOf(File.pathSeparator));
            printed.add(main(classes, program.get(3), "2"));
        }
        assertTrue(printed.getFirst().startsWith("@oriel check "), printed::toString);
        assertEquals(printed.getFirst(), printed.getLast());
    }

    private void parsed(List<String> words) {
        PrintWriter out = new PrintWriter(new StringWriter());
        Environment environment =
                new Environment(
                        System.in, out, out, false, 80, Map.of(), folder, "oriel", () -> null);
        var _ = Main.commandLine(environment).parseArgs(words.toArray(String[]::new));
    }

    private void load() throws Exception {
        try (Database database = Database.open(folder.resolve(DATABASE));
                Connection connection = database.connect()) {
            AirRoutes.createTables(connection);
            AirRoutes.loadAirports(connection, "airports", done -> {});
            AirRoutes.loadAirports(connection, "airports_array", done -> {});
            AirRoutes.loadRoutes(connection, done -> {});
            AirRoutes.createIndexes(connection);
        }
    }

    /// Saves a program under the name in its first line.
    private String save(String code) throws IOException {
        String name = code.substring("// ".length(), code.indexOf('\n'));
        assertTrue(name.matches("[A-Z][A-Za-z]+\\.java"), name);
        Files.writeString(
                folder.resolve(name), code.replace(DATABASE, folder.resolve(DATABASE).toString()));
        return "";
    }

    private String compile(String into, List<String> files) {
        List<String> arguments =
                new ArrayList<>(
                        List.of("-proc:none", "-cp", classPath(), "-d", folder + "/" + into));
        files.forEach(file -> arguments.add(folder.resolve(file).toString()));
        StringWriter messages = new StringWriter();
        PrintWriter out = new PrintWriter(messages, true);
        ToolProvider compiler = ToolProvider.findFirst("javac").orElseThrow();
        assertEquals(
                0, compiler.run(out, out, arguments.toArray(String[]::new)), messages::toString);
        return "";
    }

    private String main(String classes, String name, String... arguments) throws Exception {
        PrintStream usual = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        URL[] urls = {folder.resolve(classes).toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(urls, TutorialTest.class.getClassLoader());
                PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            Class<?> type = loader.loadClass(name);
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            Method main =
                    Arrays.stream(type.getDeclaredMethods())
                            .filter(method -> method.getName().equals("main"))
                            .findFirst()
                            .orElseThrow();
            main.setAccessible(true);
            Object[] values =
                    main.getParameterCount() == 0 ? new Object[0] : new Object[] {arguments};
            main.invoke(constructor.newInstance(), values);
        } finally {
            System.setOut(usual);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    /// Masks times, rates, sizes, estimates and pages read.
    private static String masked(String output) {
        return output.replaceAll("[0-9][0-9.,]*(?= (ns|us|ms|s|%|B|kB)\\b)", "#")
                .replaceAll("[0-9][0-9.,]*(/s| %)", "#")
                .replaceAll("(?<=~)[0-9]+", "#")
                .replaceAll("(pages( copied)? +)[0-9,]+", "$1#")
                .replaceAll("[0-9,]+ bytes", "# bytes")
                .replaceAll("[ -]+", " ");
    }
}
