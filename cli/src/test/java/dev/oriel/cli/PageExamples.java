package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The examples of a page in `docs`: blocks of code, which may have their output behind them in a block `text`. In an
/// output a line `[...]` stands for any lines, and `[...]` within a line for any text. With `-Dupdate=true` the output is
/// written into the page if it is whole there.
final class PageExamples {
    private static final Pattern BLOCK =
            Pattern.compile("```([a-z]+)\n(.*?)```\n(?:```text\n(.*?)```\n)?", Pattern.DOTALL);
    private static final String LEFT_OUT = "[...]";

    private PageExamples() {}

    /// Runs an example.
    interface Runner {
        /// Runs `code`; returns its output, null if the page's is not compared.
        @Nullable String run(String language, String code) throws Exception;
    }

    /// Runs all examples in their order; returns their number.
    ///
    /// @param name name of the page
    /// @param masked replaces parts of outputs that differ from run to run
    static int check(String name, UnaryOperator<String> masked, Runner runner) throws Exception {
        Path page = page(name);
        StringBuilder updated = new StringBuilder();
        int examples = 0;
        Matcher block = BLOCK.matcher(Files.readString(page));
        while (block.find()) {
            examples++;
            String printed = runner.run(block.group(1), block.group(2));
            String expected = block.group(3);
            String example = "```" + block.group(1) + "\n" + block.group(2) + "```\n";
            if (expected != null) {
                boolean whole = printed != null && !expected.contains(LEFT_OUT);
                if (printed != null && (!whole || !Boolean.getBoolean("update"))) {
                    compare(masked.apply(expected), masked.apply(printed), block.group(2));
                }
                example += "```text\n" + (whole ? printed : expected) + "```\n";
            }
            block.appendReplacement(updated, Matcher.quoteReplacement(example));
        }
        block.appendTail(updated);
        if (Boolean.getBoolean("update")) {
            Files.writeString(page, updated);
        }
        return examples;
    }

    private static void compare(String expected, String printed, String code) {
        if (!expected.contains(LEFT_OUT)) {
            assertEquals(expected, printed, code);
            return;
        }
        String pattern = expected.lines().map(PageExamples::pattern).collect(Collectors.joining());
        assertTrue(Pattern.matches(pattern, printed), code + printed);
    }

    private static String pattern(String line) {
        if (line.strip().equals(LEFT_OUT)) {
            return "(?:.*\n)*?";
        }
        StringBuilder pattern = new StringBuilder();
        for (String part : line.split(Pattern.quote(LEFT_OUT), -1)) {
            pattern.append(pattern.isEmpty() ? "" : ".*").append(Pattern.quote(part));
        }
        return pattern + "\n";
    }

    private static Path page(String name) throws IOException {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("docs").resolve(name))) {
            at = Objects.requireNonNull(at.getParent(), "a folder with docs/" + name);
        }
        return at.resolve("docs").resolve(name);
    }
}
