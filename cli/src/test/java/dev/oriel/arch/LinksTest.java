package dev.oriel.arch;

import static dev.oriel.arch.TidyTest.assertNone;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.arch.SourceTree.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Each relative link of a document leads to a file or a folder of the repository, and its anchor to a heading there.
class LinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\\n]*`");
    private static final Pattern BLOCK = Pattern.compile("(?s)```.*?```");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
    private static final Pattern ABSOLUTE = Pattern.compile("[a-z]+:.*");

    private final Map<String, Set<String>> headings = new HashMap<>();
    private final List<Source> documents =
            SourceTree.sources().stream().filter(one -> one.path().endsWith(".md")).toList();

    LinksTest() throws IOException {
        for (Source document : documents) {
            headings.put(document.path(), anchors(document.text()));
        }
    }

    @Test
    void everyLinkLeadsSomewhere() {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Source document : documents) {
            String prose = CODE.matcher(document.text()).replaceAll("");
            for (MatchResult found : LINK.matcher(prose).results().toList()) {
                String link = found.group(1);
                if (!ABSOLUTE.matcher(link).matches()) {
                    links++;
                    if (!leadsSomewhere(document, link)) {
                        broken.add(document.path() + ": " + link);
                    }
                }
            }
        }
        assertTrue(links > 200, "links were not found");
        assertNone(broken);
    }

    private boolean leadsSomewhere(Source document, String link) {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path here = Path.of("/" + document.path());
        Path target = file.isEmpty() ? here : here.resolveSibling(file);
        String path = target.normalize().toString().replace('\\', '/').substring(1);
        Set<String> known = headings.get(path);
        return (hash >= 0 && known != null)
                ? known.contains(link.substring(hash + 1))
                : Files.exists(SourceTree.root().resolve(path));
    }

    /// The anchors of the headings: lower case, hyphens for blanks, without other signs; numbered if repeated.
    private static Set<String> anchors(String text) {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> before = new HashMap<>();
        String prose = BLOCK.matcher(text).replaceAll("");
        for (MatchResult heading : HEADING.matcher(prose).results().toList()) {
            String anchor =
                    heading.group(1)
                            .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                            .strip()
                            .toLowerCase(Locale.ROOT)
                            .replaceAll("[^\\w\\- ]", "")
                            .replace(' ', '-');
            int number = before.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(number == 0 ? anchor : anchor + "-" + number);
        }
        return anchors;
    }

    @Test
    void anchorsAreNamedAsOnTheRepositorysPages() {
        String text = "# A `b_c`, d-e!\n## [Link](x.md)\n```\n# no heading\n```\n## Link\n";
        assertEquals(Set.of("a-b_c-d-e", "link", "link-1"), anchors(text));
    }
}
