package dev.oriel.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.arch.MethodLengths.Method;
import dev.oriel.arch.SourceTree.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What no compiler checks about the sources. What is allowed against a rule stands, with its
/// reason, in `cli/src/test/resources/arch/tidy-exceptions.txt`.
class TidyTest {
    private static final int FILE_LINES_MAX = 800;
    private static final int METHOD_LINES_MAX = 70;
    private static final String EXCEPTIONS = "cli/src/test/resources/arch/tidy-exceptions.txt";

    // In pieces, so that this file does not contain what it looks for.
    private static final Pattern BACKLOG = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
    private static final List<String> REGISTRIES =
            List.of(
                    "repo.maven." + "apache.org",
                    "repo1.maven" + ".org",
                    "central.sonatype" + ".com",
                    "oss.sonatype" + ".org",
                    "plugins.gradle" + ".org",
                    "jit" + "pack.io",
                    "registry.npmjs" + ".org",
                    "pypi" + ".org",
                    "proxy.golang" + ".org");

    private static final Predicate<Source> CODE =
            source ->
                    source.isJava()
                            || source.path().endsWith(".xml")
                            || source.path().endsWith(".sh")
                            || !source.path().contains(".");

    private final List<Source> sources = SourceTree.sources();

    TidyTest() throws IOException {}

    @Test
    void theTreeIsRead() {
        assertTrue(sources.stream().filter(Source::isMainJava).count() > 10);
        assertTrue(sources.stream().anyMatch(source -> source.path().equals("mvnw")));
    }

    @Test
    void filesAndMethodsAreShortUnlessAReasonIsGiven() {
        Map<String, String> exceptions = new TreeMap<>();
        sources.stream()
                .filter(source -> source.path().equals(EXCEPTIONS))
                .flatMap(source -> source.lines().stream())
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(line -> {
                    String[] parts = line.strip().split("\\s+", 2);
                    assertEquals(2, parts.length, () -> "no reason given: " + line);
                    exceptions.put(parts[0], parts[1]);
                });
        List<String> tooLong = new ArrayList<>();
        for (Source source : (Iterable<Source>) main()::iterator) {
            if (source.lines().size() > FILE_LINES_MAX
                    && exceptions.remove(source.path()) == null) {
                tooLong.add(source.path() + ": " + source.lines().size() + " lines");
            }
            for (Method method : MethodLengths.of(source.text())) {
                String place = source.path() + "#" + method.name();
                if (method.lines() > METHOD_LINES_MAX && exceptions.remove(place) == null) {
                    tooLong.add(place + ": " + method.lines() + " lines");
                }
            }
        }
        assertNone(tooLong);
        assertEquals(Map.of(), exceptions, "exceptions that nothing needs any more");
    }

    /// Tests may hold text of the world as it is: it is their data.
    @Test
    void sourcesAreAscii() {
        Predicate<Source> shipped = CODE.and(source -> !source.path().contains("/src/test/"));
        assertNone(linesOf(shipped, line -> line.chars().anyMatch(c -> c > '~')));
    }

    @Test
    void sourcesHoldNoTabs() {
        Predicate<Source> text = CODE.or(source -> source.path().endsWith(".md"));
        assertNone(linesOf(text, line -> line.contains("\t")));
    }

    @Test
    void sourcesHoldNoBacklog() {
        assertNone(linesOf(CODE, line -> BACKLOG.matcher(line).find()));
    }

    @Test
    void noRegistryIsNamed() {
        assertNone(linesOf(source -> true, line -> REGISTRIES.stream().anyMatch(line::contains)));
    }

    /// What a program prints is the same wherever it runs: a comma groups thousands, a point parts off
    /// what is less than one.
    @Test
    void figuresAreFormattedForNoCountry() {
        List<String> wrong = new ArrayList<>();
        for (Source source : (Iterable<Source>) main()::iterator) {
            for (String statement : CountryFormats.of(source.text())) {
                wrong.add(source.path() + ": " + statement);
            }
        }
        assertNone(wrong);
    }

    @Test
    void whatIsFormattedForACountryIsFound() {
        String source =
                """
                class C {
                    // "%.1f".formatted(comment);
                    String of(int i, double d) {
                        say("grouped; {%,d} %s".formatted(i, "x"));
                        say(String.format(Locale.ROOT, "%,d", i));
                        say("100 %% for %s, %d".formatted(i, i));
                        out.printf("%d %-8.2f%%n", i, d);
                        return "%.1f";
                    }
                }
                """;
        assertEquals(
                List.of(
                        "say(\"grouped; {%,d} %s\".formatted(i, \"x\"))",
                        "out.printf(\"%d %-8.2f%%n\", i, d)"),
                CountryFormats.of(source));
    }

    @Test
    void theLengthOfAMethodIsCountedFromBraceToBrace() {
        String source =
                """
                record R(int a) {
                    static final int[] TABLE = {
                        1, 2 };
                    R { // a brace { in a comment
                        check(a);
                    }

                    @Deprecated(since = "1")
                    String brace(char c) throws IOException {
                        Runnable r = () -> {
                            c = c == '\\'' ? '{' : '"'; /* {
                            " */
                        };
                        return "}\\"}" + r + \"""
                            { "}" \""";
                    }
                }
                """;
        assertEquals(List.of(new Method("R", 3), new Method("brace", 8)), MethodLengths.of(source));
    }

    private Stream<Source> main() {
        return sources.stream().filter(Source::isMainJava);
    }

    private List<String> linesOf(Predicate<Source> which, Predicate<String> wrong) {
        List<String> found = new ArrayList<>();
        for (Source source : sources) {
            if (which.test(source)) {
                List<String> lines = source.lines();
                for (int i = 0; i < lines.size(); i++) {
                    if (wrong.test(lines.get(i))) {
                        found.add(source.path() + ":" + (i + 1) + ": " + lines.get(i).strip());
                    }
                }
            }
        }
        return found;
    }

    static void assertNone(List<String> found) {
        assertTrue(found.isEmpty(), () -> String.join("\n", found));
    }
}
