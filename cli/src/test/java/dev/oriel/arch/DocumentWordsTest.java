package dev.oriel.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.arch.SourceTree.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The documents in plain words, by the measures of [CommentsTest]. Decisions are history, and are not counted.
class DocumentWordsTest {
    /// Greatest number of each word in 1,000 words of the documents.
    private static final Map<String, Double> BUDGET =
            Map.of("what", 1.0, "those", 1.0, "where", 0.5);

    private static final int SENTENCE_WORDS_MAX = 30;

    private static final Pattern DOCUMENT = Pattern.compile("[A-Z]+\\.md|docs/[a-z-]+\\.md");
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```");
    private static final Pattern SPAN = Pattern.compile("`[^`\\n]*`");
    private static final Pattern TARGET = Pattern.compile("\\]\\([^)]*\\)");
    private static final Pattern WORD = Pattern.compile("[A-Za-z']+");
    private static final Pattern SENTENCE_END =
            Pattern.compile("(?<=[.!?:;])(?:\\*\\*)?\\)?\\s+(?=[A-Za-z0-9`\\[(*\"])");

    private final List<Source> documents =
            SourceTree.sources().stream()
                    .filter(one -> DOCUMENT.matcher(one.path()).matches())
                    .toList();

    DocumentWordsTest() throws IOException {}

    @Test
    void wordsKeepTheirBudget() {
        Map<String, Integer> counts = new TreeMap<>();
        int all = 0;
        for (Source document : documents) {
            Matcher words = WORD.matcher(prose(document));
            while (words.find()) {
                counts.merge(words.group().toLowerCase(Locale.ROOT), 1, Integer::sum);
                all++;
            }
        }
        assertTrue(all > 40_000, "documents were not found");
        for (Map.Entry<String, Double> word : BUDGET.entrySet()) {
            double part = 1000.0 * counts.getOrDefault(word.getKey(), 0) / all;
            assertTrue(
                    part <= word.getValue(),
                    () -> "'%s' %.2f times in 1,000 words".formatted(word.getKey(), part));
        }
    }

    /// Names in code, tables and headings are not counted.
    @Test
    void sentencesAreShort() {
        List<String> tooLong = new ArrayList<>();
        for (Source document : documents) {
            for (String line : prose(document).lines().toList()) {
                if (line.matches("(?s)[|#<].*")) {
                    continue;
                }
                for (String sentence : SENTENCE_END.split(line, -1)) {
                    long words = WORD.matcher(sentence).results().count();
                    if (words > SENTENCE_WORDS_MAX) {
                        tooLong.add(document.path() + ": " + sentence.strip());
                    }
                }
            }
        }
        assertEquals("", String.join("\n", tooLong));
    }

    private static String prose(Source document) {
        String text = CODE.matcher(document.text()).replaceAll("\n");
        return TARGET.matcher(SPAN.matcher(text).replaceAll("1")).replaceAll("]");
    }
}
