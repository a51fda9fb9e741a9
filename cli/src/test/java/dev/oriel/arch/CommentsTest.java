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
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Comments of the product in plain words: nouns instead of relative clauses, "if" for conditions, short sentences.
class CommentsTest {
    /// Greatest number of each word in 1,000 words of comments.
    private static final Map<String, Double> BUDGET =
            Map.of("what", 1.0, "those", 0.5, "where", 1.0);

    private static final int SENTENCE_WORDS_MAX = 30;

    private static final Pattern WORD = Pattern.compile("[A-Za-z']+");
    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*///? ?(.*)$|\\s// (.*)$");
    private static final Pattern SENTENCE_END =
            Pattern.compile(
                    "(?<=[.!?:])\\)?\\s+(?=[A-Z`\\[@(])|@param|@return|@throws|\\n\\s*\\n|\\n- |\\n\\|");

    /// Code, and drawings, in a comment.
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|(?m)^    .*$");

    private final List<Source> sources =
            SourceTree.sources().stream().filter(Source::isMainJava).toList();

    CommentsTest() throws IOException {}

    @Test
    void wordsKeepTheirBudget() {
        Map<String, Integer> counts = new TreeMap<>();
        int all = 0;
        for (Source source : sources) {
            Matcher words = WORD.matcher(comments(source));
            while (words.find()) {
                counts.merge(words.group().toLowerCase(Locale.ROOT), 1, Integer::sum);
                all++;
            }
        }
        assertTrue(all > 100_000, "comments were not found");
        for (Map.Entry<String, Double> word : BUDGET.entrySet()) {
            double part = 1000.0 * counts.getOrDefault(word.getKey(), 0) / all;
            assertTrue(
                    part <= word.getValue(),
                    () -> "'%s' %.1f times in 1,000 words".formatted(word.getKey(), part));
        }
    }

    @Test
    void sentencesAreShort() {
        List<String> tooLong = new ArrayList<>();
        for (Source source : sources) {
            String prose = CODE.matcher(comments(source)).replaceAll("\n\n");
            for (String sentence : SENTENCE_END.split(prose, -1)) {
                long words = WORD.matcher(sentence).results().count();
                if (words > SENTENCE_WORDS_MAX) {
                    tooLong.add(source.path() + ": " + sentence.strip());
                }
            }
        }
        assertEquals("", tooLong.stream().limit(20).collect(Collectors.joining("\n")));
    }

    /// The comments of a file; an empty line separates comments that stand apart.
    private static String comments(Source source) {
        String code = MethodLengths.withoutComments(source.text(), false);
        StringBuilder comments = new StringBuilder();
        int before = -1;
        int number = 0;
        String[] bare = code.split("\n", -1);
        for (String line : source.text().split("\n", -1)) {
            if (!line.equals(bare[number])) {
                Matcher comment = COMMENT.matcher(line);
                if (comment.find()) {
                    String text = comment.group(1) == null ? comment.group(2) : comment.group(1);
                    comments.append(before == number - 1 ? "\n" : "\n\n")
                            .append(text.stripTrailing());
                    before = number;
                }
            }
            number++;
        }
        return comments.toString();
    }
}
