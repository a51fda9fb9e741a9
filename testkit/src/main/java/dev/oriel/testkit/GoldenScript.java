package dev.oriel.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.opentest4j.AssertionFailedError;

/// Tests whose inputs and expected outputs are in a text file, `src/test/resources/NAME.script`
/// of the module. A block is some input lines, a line `---`, and the output; a blank line ends it.
/// Lines that begin with `#` before the input are comments, and the first of them names the test.
///
/// ```text
/// # A filter on the key becomes a seek
/// select * from cities where id = 7
/// ---
/// seek cities id = 7
///
/// select * from cities
/// ---
/// scan cities
/// ```
///
/// and in the test class
///
/// ```java
/// @TestFactory
/// Stream<DynamicTest> plans() {
///     return GoldenScript.tests("plans", input -> explain(input));
/// }
/// ```
///
/// The blocks run in the order of the file, so that the function may keep a session between them. With
/// `-Dupdate=true` nothing is compared: the actual outputs are written into the file, whose change is then to be
/// read before it is committed.
///
/// Output is compared without the line ends at its very end. A blank line of it is a line of one dot in the file,
/// and a line that consists of dots alone has one dot more there.
public final class GoldenScript {
    private static final String SEPARATOR = "---";

    /// The function that turns an input of a script into its output.
    @FunctionalInterface
    public interface Answer {
        /// The output for the lines of one block, joined by newlines.
        String to(String input) throws Exception;
    }

    /// @param line number of its first line in the file, from 1
    private record Block(int line, List<String> comments, String input, String output) {
        String name() {
            String title =
                    comments.isEmpty()
                            ? input.lines().findFirst().orElse("")
                            : comments.getFirst().substring(1).strip();
            return "line " + line + ": " + title;
        }

        Block withOutput(String found) {
            return new Block(line, comments, input, found);
        }
    }

    private final Path file;
    private final List<Block> blocks;

    private GoldenScript(Path file) throws IOException {
        this.file = file;
        blocks = parse(file);
    }

    /// One test for each block of the script.
    public static Stream<DynamicTest> tests(String name, Answer answer) throws IOException {
        return of(find(name + ".script"), answer, Boolean.getBoolean("update")).stream();
    }

    static List<DynamicTest> of(Path file, Answer answer, boolean update) throws IOException {
        GoldenScript script = new GoldenScript(file);
        List<DynamicTest> tests = new ArrayList<>();
        for (int i = 0; i < script.blocks.size(); i++) {
            Block block = script.blocks.get(i);
            int index = i;
            if (!block.input.isEmpty()) {
                tests.add(
                        DynamicTest.dynamicTest(
                                block.name(), () -> script.run(index, answer, update)));
            }
        }
        return tests;
    }

    private void run(int index, Answer answer, boolean update) throws Exception {
        Block block = blocks.get(index);
        String found = withoutLastLineEnds(answer.to(block.input));
        if (update) {
            blocks.set(index, block.withOutput(found));
            Files.writeString(file, text());
        } else if (!found.equals(block.output)) {
            String message =
                    "%s, %s%n%s%n(-expected +found; -Dupdate=true accepts what was found)%n%s"
                            .formatted(
                                    file.getFileName(),
                                    block.name(),
                                    block.input.indent(2).stripTrailing(),
                                    LineDiff.between(block.output, found));
            throw new AssertionFailedError(message, block.output, found);
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (Block block : blocks) {
            if (!text.isEmpty()) {
                text.append('\n');
            }
            block.comments.forEach(comment -> text.append(comment).append('\n'));
            if (!block.input.isEmpty()) {
                text.append(block.input).append('\n').append(SEPARATOR).append('\n');
                block.output.lines().map(GoldenScript::escape).forEach(text::append);
            }
        }
        return text.toString();
    }

    private static List<Block> parse(Path file) throws IOException {
        List<Block> blocks = new ArrayList<>();
        List<String> lines = Files.readAllLines(file);
        int next = 0;
        while (next < lines.size()) {
            int start = next;
            while (next < lines.size() && !lines.get(next).isEmpty()) {
                next++;
            }
            if (next > start) {
                blocks.add(block(file, start + 1, lines.subList(start, next)));
            }
            next++;
        }
        return blocks;
    }

    private static Block block(Path file, int line, List<String> lines) {
        int comments = 0;
        while (comments < lines.size() && lines.get(comments).startsWith("#")) {
            comments++;
        }
        int separator = lines.indexOf(SEPARATOR);
        if (comments == lines.size()) {
            return new Block(line, lines, "", "");
        }
        if (separator <= comments) {
            throw new IllegalArgumentException(
                    file
                            + ":"
                            + line
                            + ": a block is input lines, a line "
                            + SEPARATOR
                            + " and the output");
        }
        String input = String.join("\n", lines.subList(comments, separator));
        String output =
                lines.stream()
                        .skip(separator + 1)
                        .map(GoldenScript::unescape)
                        .collect(Collectors.joining("\n"));
        return new Block(line, lines.subList(0, comments), input, withoutLastLineEnds(output));
    }

    private static String withoutLastLineEnds(String text) {
        String lines = text.replace("\r\n", "\n");
        int end = lines.length();
        while (end > 0 && lines.charAt(end - 1) == '\n') {
            end--;
        }
        return lines.substring(0, end);
    }

    private static String escape(String line) {
        return (isDots(line) ? line + "." : line) + "\n";
    }

    private static String unescape(String line) {
        return isDots(line) && !line.isEmpty() ? line.substring(1) : line;
    }

    private static boolean isDots(String line) {
        return line.chars().allMatch(c -> c == '.');
    }

    /// The file in the sources, not its copy among the classes, so that an update reaches it. It is below the working
    /// folder if Maven runs the test, or else below the only module that has it.
    private static Path find(String name) throws IOException {
        Path here = Path.of("src/test/resources", name);
        if (Files.exists(here)) {
            return here;
        }
        Path root = Path.of(System.getProperty("oriel.root", "."));
        try (Stream<Path> modules = Files.list(root)) {
            List<Path> found =
                    modules.map(module -> module.resolve("src/test/resources").resolve(name))
                            .filter(Files::exists)
                            .toList();
            if (found.size() != 1) {
                throw new IOException(
                        "%d modules under %s have a src/test/resources/%s"
                                .formatted(found.size(), root.toAbsolutePath(), name));
            }
            return found.getFirst();
        }
    }
}
