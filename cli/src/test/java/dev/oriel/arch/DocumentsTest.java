package dev.oriel.arch;

import static dev.oriel.arch.TidyTest.assertNone;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.arch.SourceTree.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// That the documents keep up with the sources, and stay short enough to be read. A document that
/// is not there yet breaks no rule.
class DocumentsTest {
    private static final Pattern QUOTED_TYPE =
            Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:<[^`]*>)?(?:[.#(][^`]*)?`");
    private static final Pattern DECLARED_TYPE =
            Pattern.compile("\\b(?:class|interface|enum|record)\\s+([A-Z]\\w*)");
    private static final Pattern IMPORTED_TYPE =
            Pattern.compile("(?m)^import (?:java|javax|jdk)\\.[\\w.]*\\.([A-Z]\\w*);");
    private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
    private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
    private static final String DECISIONS = "docs/adr/README.md";
    private static final Pattern ADR = Pattern.compile("docs/adr/(\\d{4})-[a-z0-9-]+\\.md");
    private static final Set<String> ENGINE =
            Set.of("io", "profiler", "store", "table", "sql", "kv", "database");

    private final List<Source> sources = SourceTree.sources();

    DocumentsTest() throws IOException {}

    @Test
    void theReadmeIsShort() {
        document("README.md")
                .ifPresent(readme -> assertTrue(readme.lines().size() <= 120, "README.md"));
    }

    @Test
    void theArchitectureIsShort() {
        document("ARCHITECTURE.md")
                .ifPresent(text -> assertTrue(text.lines().size() <= 200, "ARCHITECTURE.md"));
    }

    @Test
    void theArchitectureNamesOnlyTypesThatExist() {
        Set<String> known = new HashSet<>();
        for (Source source : sources) {
            if (source.isJava()) {
                all(DECLARED_TYPE, source.text(), known);
                all(IMPORTED_TYPE, source.text(), known);
            }
        }
        assertTrue(known.contains("StorageFile") && known.contains("MemorySegment"));
        Set<String> named = new HashSet<>();
        document("ARCHITECTURE.md").ifPresent(text -> all(QUOTED_TYPE, text.text(), named));
        named.removeIf(name -> known.contains(name) || isInJavaLang(name));
        assertNone(named.stream().sorted().map(name -> "no such type: " + name).toList());
    }

    @Test
    void theArchitectureNamesEveryModule() {
        Set<String> modules = new HashSet<>();
        all(MODULE, document("pom.xml").orElseThrow().text(), modules);
        assertTrue(modules.containsAll(ENGINE));
        List<String> missing = new ArrayList<>();
        document("ARCHITECTURE.md")
                .ifPresent(text -> {
                    for (String module : modules) {
                        Pattern word = Pattern.compile("(?<![\\w-])" + module + "(?![\\w-])");
                        if (!word.matcher(text.text()).find()) {
                            missing.add("module " + module + " is not named");
                        }
                    }
                });
        assertNone(missing);
    }

    @Test
    void decisionsAreInTheIndex() {
        String index =
                sources.stream()
                        .filter(source -> source.path().equals(DECISIONS))
                        .map(Source::text)
                        .findFirst()
                        .orElseThrow();
        List<String> missing = new ArrayList<>();
        for (Source source : sources) {
            Matcher name = ADR.matcher(source.path());
            if (name.matches()) {
                String title = source.lines().getFirst().replaceFirst("# \\d+\\. ", "");
                String file = source.path().substring("docs/adr/".length());
                String link = "[" + title + "](" + file + ")";
                if (!index.contains(link)) {
                    missing.add(link);
                }
            }
        }
        assertNone(missing);
    }

    /// Like the first line of a commit: what is done, not what is.
    @Test
    void titlesOfDecisionsBeginWithAVerb() {
        Set<String> noVerbs = Set.of("A", "An", "The", "No", "One", "Our", "How", "Why", "What");
        List<String> wrong = new ArrayList<>();
        for (Source source : sources) {
            if (ADR.matcher(source.path()).matches()) {
                String title = source.lines().getFirst().replaceFirst("# \\d+\\. ", "");
                if (noVerbs.contains(title.split(" ", 2)[0])) {
                    wrong.add(source.path() + ": " + title);
                }
            }
        }
        assertNone(wrong);
    }

    @Test
    void decisionsAreNumberedWithoutGaps() {
        List<String> wrong = new ArrayList<>();
        int next = 0;
        for (Source source : sources) {
            if (source.path().startsWith("docs/adr/") && !source.path().equals(DECISIONS)) {
                Matcher name = ADR.matcher(source.path());
                if (!name.matches()) {
                    wrong.add("not NNNN-title.md: " + source.path());
                    continue;
                }
                int number = Integer.parseInt(name.group(1));
                if (next != 0 && number != next) {
                    wrong.add("expected number " + next + ": " + source.path());
                }
                next = number + 1;
            }
        }
        assertNone(wrong);
    }

    /// The module system and the class files show what is used; this shows what would be shipped.
    @Test
    void theEngineShipsNoLibraryAndNoTestkit() {
        List<String> shipped = new ArrayList<>();
        int poms = 0;
        for (Source source : sources) {
            String module = source.path().replace("/pom.xml", "");
            if (!source.path().equals(module + "/pom.xml") || module.equals("testkit")) {
                continue;
            }
            poms++;
            for (MatchResult found : DEPENDENCY.matcher(source.text()).results().toList()) {
                String dependency = found.group(1);
                boolean test = dependency.contains("<scope>test</scope>");
                boolean ours = dependency.contains("<groupId>dev.oriel</groupId>");
                boolean testkit = dependency.contains("<artifactId>oriel-testkit</artifactId>");
                if (!test && (testkit || (!ours && ENGINE.contains(module)))) {
                    shipped.add(source.path() + dependency);
                }
            }
        }
        assertTrue(poms >= ENGINE.size());
        assertNone(shipped);
    }

    @Test
    void quotedTypesAreFoundWithTheirMembersAndConstantsAreNot() {
        Set<String> named = new HashSet<>();
        all(QUOTED_TYPE, "`Store` `Tree.cursor` `Map<K, V>` `SYNC` `README.md` `a.b` `T`", named);
        assertEquals(Set.of("Store", "Tree", "Map"), named);
        assertTrue(isInJavaLang("Thread"));
        assertFalse(isInJavaLang("Thraed"));
    }

    private Optional<Source> document(String path) {
        return sources.stream().filter(source -> source.path().equals(path)).findFirst();
    }

    private static void all(Pattern pattern, String text, Set<String> into) {
        pattern.matcher(text).results().map(match -> match.group(1)).forEach(into::add);
    }

    private static boolean isInJavaLang(String name) {
        try {
            return Class.forName("java.lang." + name, false, null) != null;
        } catch (ClassNotFoundException notThere) {
            return false;
        }
    }
}
