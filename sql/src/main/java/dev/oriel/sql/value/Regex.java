package dev.oriel.sql.value;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// Regular expressions, in the syntax of the JDK; a point, `^` and `$` and the classes mean what they do in
/// PostgreSQL ([PosixPattern]). Patterns nest no deeper than they are long, and matching
/// backtracks. A stack overflow is reported as a value that cannot be matched.
public final class Regex {
    private static final int PATTERN_CHARS_MAX = 10_000;
    private static final int KEPT_MAX = 32;

    /// Options for texts of several lines.
    private static final int LINES = Pattern.MULTILINE | Pattern.UNIX_LINES;

    /// A thread's most recently used patterns, by flags and text. Only JDK classes are kept, so that a long-lived
    /// thread retains no class loader of a redeployed application.
    private static final ThreadLocal<LinkedHashMap<String, Pattern>> KEPT =
            ThreadLocal.withInitial(() -> new LinkedHashMap<>(16, 0.75f, true));

    private Regex() {}

    private static Pattern pattern(String text, String flags, Place place) {
        Pattern kept = KEPT.get().get(flags + '/' + text);
        if (kept != null) {
            return kept;
        }
        int options = Pattern.UNICODE_CHARACTER_CLASS | Pattern.DOTALL;
        for (int i = 0; i < flags.length(); i++) {
            options =
                    switch (flags.charAt(i)) {
                        case 'i' -> options | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
                        case 'm', 'n' -> (options | LINES) & ~Pattern.DOTALL;
                        case 's' -> (options | Pattern.DOTALL) & ~LINES;
                        case 'x' -> options | Pattern.COMMENTS;
                        case 'g', 'c' -> options;
                        case '.' -> (options & ~Pattern.DOTALL) | Pattern.UNIX_LINES;
                        case '^' -> options | LINES;
                        default ->
                                throw place.error(
                                        Kind.INVALID_PARAMETER,
                                        "The flag '"
                                                + flags.charAt(i)
                                                + "' is unknown: use g, i, m, s or x");
                    };
        }
        if (text.length() > PATTERN_CHARS_MAX) {
            throw place.error(
                    Kind.OUT_OF_RANGE,
                    "A regular expression is longer than " + PATTERN_CHARS_MAX + " characters");
        }
        try {
            Pattern compiled =
                    Pattern.compile(
                            PosixPattern.translated(text, (options & Pattern.MULTILINE) != 0),
                            options);
            LinkedHashMap<String, Pattern> patterns = KEPT.get();
            patterns.put(flags + '/' + text, compiled);
            if (patterns.size() > KEPT_MAX) {
                patterns.pollFirstEntry();
            }
            return compiled;
        } catch (PatternSyntaxException | StackOverflowError unfit) {
            throw place.error(
                    Kind.REGULAR_EXPRESSION, "'" + text + "' is not a regular expression");
        }
    }

    private static String flags(Object[] values, int i) {
        return values.length > i ? text(values, i) : "";
    }

    /// `text` that polls for cancellation while it is read: matching may backtrack forever.
    private static final class PolledText implements CharSequence {
        private static final int POLL_MASK = 1023;

        private final String text;
        private int reads;

        PolledText(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if ((++reads & POLL_MASK) == 0) {
                Cancellation.pollRunning();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static Matcher matcher(Pattern pattern, String text) {
        return pattern.matcher(new PolledText(text));
    }

    private static boolean find(Matcher matcher, Place place) {
        try {
            return matcher.find();
        } catch (StackOverflowError tooDeep) {
            throw place.error(
                    Kind.OUT_OF_RANGE,
                    "The regular expression backtracks too deep on this text: simplify it");
        }
    }

    public static Object like(Object[] values, Place place) {
        refuseGlobal(values, 2, place);
        Pattern pattern = pattern(text(values, 1), flags(values, 2), place);
        return truth(find(matcher(pattern, text(values, 0)), place));
    }

    /// A matcher that starts at the character whose number is the value at `start`.
    private static Matcher matcherFrom(Object[] values, int start, int flags, Place place) {
        String text = text(values, 0);
        Matcher matcher = matcher(pattern(text(values, 1), flags(values, flags), place), text);
        long from = values.length > start ? positive(values, start, "first character", place) : 1;
        int chars = text.codePointCount(0, text.length());
        return from > chars + 1L
                ? matcher(Pattern.compile("(?!)"), text)
                : matcher.region(text.offsetByCodePoints(0, (int) from - 1), text.length())
                        .useAnchoringBounds(false)
                        .useTransparentBounds(true);
    }

    private static long positive(Object[] values, int i, String what, Place place) {
        long number = (Long) values[i];
        if (number < 1) {
            throw place.error(
                    Kind.INVALID_PARAMETER, "The " + what + " is counted from 1: " + number);
        }
        return number;
    }

    /// Moves the matcher to the match whose number is the value at `i`; false if there is none.
    private static boolean findNumber(Matcher matcher, Object[] values, int i, Place place) {
        long wanted = values.length > i ? positive(values, i, "match", place) : 1;
        for (long found = 0; found < wanted; found++) {
            if (!find(matcher, place)) {
                return false;
            }
        }
        return true;
    }

    private static void refuseGlobal(Object[] values, int flags, Place place) {
        if (flags(values, flags).indexOf('g') >= 0) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "The flag 'g' cannot be used here, where one match is looked for; leave it out");
        }
    }

    /// The group whose number is the value at `i`; 0, the whole match, if it is omitted.
    private static int group(Object[] values, int i, Place place) {
        long group = values.length > i ? (Long) values[i] : 0;
        if (group < 0) {
            throw place.error(Kind.INVALID_PARAMETER, "Groups are counted from 1: " + group);
        }
        return (int) Math.min(group, Integer.MAX_VALUE);
    }

    /// Number of groups: a pattern without any is one.
    private static int groups(Matcher matcher) {
        return Math.max(1, matcher.groupCount());
    }

    private static int within(Matcher matcher, int group) {
        return Math.min(group, matcher.groupCount());
    }

    /// REGEXP_SUBSTR: text, pattern, first character, number of the match, flags, group.
    public static @Nullable Object found(Object[] values, Place place) {
        refuseGlobal(values, 4, place);
        Matcher matcher = matcherFrom(values, 2, 4, place);
        int group = group(values, 5, place);
        boolean found = findNumber(matcher, values, 3, place);
        return found && group <= groups(matcher) ? matcher.group(within(matcher, group)) : null;
    }

    /// SUBSTRING(text FROM pattern): the first group of the match, or all of it if there are no groups.
    public static @Nullable Object part(Object[] values, Place place) {
        Matcher matcher = matcher(pattern(text(values, 1), "", place), text(values, 0));
        return find(matcher, place) ? matcher.group(Math.min(1, matcher.groupCount())) : null;
    }

    /// REGEXP_INSTR: text, pattern, first character, number of the match, whether to return its end, flags, group.
    public static Object position(Object[] values, Place place) {
        refuseGlobal(values, 5, place);
        Matcher matcher = matcherFrom(values, 2, 5, place);
        long end = values.length > 4 ? (Long) values[4] : 0;
        if (end < 0 || end > 1) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "The fifth argument is 0 for the start of a match, or 1 for its end");
        }
        int asked = group(values, 6, place);
        boolean found = findNumber(matcher, values, 3, place);
        int group = found && asked <= groups(matcher) ? within(matcher, asked) : -1;
        if (group < 0 || matcher.start(group) < 0) {
            return 0L;
        }
        int at = end == 0 ? matcher.start(group) : matcher.end(group);
        return text(values, 0).codePointCount(0, at) + 1L;
    }

    /// REGEXP_COUNT: text, pattern, first character, flags.
    public static Object counted(Object[] values, Place place) {
        refuseGlobal(values, 3, place);
        Matcher matcher = matcherFrom(values, 2, 3, place);
        long count = 0;
        while (find(matcher, place)) {
            count++;
        }
        return count;
    }

    /// REGEXP_MATCH: the groups of the first match as an array, or the whole match if there are no groups; null
    /// without a match.
    public static byte @Nullable [] groups(Object[] values, Place place) {
        Matcher matcher =
                matcher(pattern(text(values, 1), flags(values, 2), place), text(values, 0));
        if (!find(matcher, place)) {
            return null;
        }
        return allOf(matcher);
    }

    /// REGEXP_MATCH: the groups of the first match.
    public static byte @Nullable [] firstGroups(Object[] values, Place place) {
        if (flags(values, 2).indexOf('g') >= 0) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "REGEXP_MATCH finds one match, so it does not take the flag g; use"
                            + " REGEXP_MATCHES");
        }
        return groups(values, place);
    }

    private static byte[] allOf(Matcher matcher) {
        List<@Nullable String> groups = new ArrayList<>();
        for (int i = Math.min(1, matcher.groupCount()); i <= matcher.groupCount(); i++) {
            groups.add(matcher.group(i));
        }
        return array(groups);
    }

    /// REGEXP_MATCHES: the results of [#groups] for the first match, or for all with the flag g, as an array of
    /// bytes.
    public static byte[] allGroups(Object[] values, Place place) {
        String flags = flags(values, 2);
        Matcher matcher = matcher(pattern(text(values, 1), flags, place), text(values, 0));
        List<byte[]> found = new ArrayList<>();
        while (find(matcher, place)) {
            found.add(allOf(matcher));
            if (flags.indexOf('g') < 0) {
                break;
            }
        }
        Tuple matches = new Tuple(found.size());
        for (int i = 0; i < found.size(); i++) {
            matches.setBytes(i, found.get(i));
        }
        return ArrayValue.of(Typing.BYTES, matches, found.size());
    }

    /// REGEXP_SPLIT_TO_ARRAY: the text between matches. As in PostgreSQL, an empty match at either end, or right
    /// after the last match, does not split.
    public static byte[] parts(Object[] values, Place place) {
        String text = text(values, 0);
        Matcher matcher = matcher(pattern(text(values, 1), flags(values, 2), place), text);
        List<@Nullable String> parts = new ArrayList<>();
        int start = 0;
        while (find(matcher, place)) {
            boolean empty = matcher.start() == matcher.end();
            if (!empty || (matcher.start() > start && matcher.start() < text.length())) {
                parts.add(text.substring(start, matcher.start()));
                start = matcher.end();
            }
        }
        parts.add(text.substring(start));
        return array(parts);
    }

    private static byte[] array(List<@Nullable String> texts) {
        Tuple elements = new Tuple(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            elements.setText(i, texts.get(i));
        }
        return ArrayValue.of(Typing.TEXT, elements, texts.size());
    }

    /// REGEXP_REPLACE: text, pattern, replacement, then flags, or the first character, the number of the match (0
    /// for all) and flags. Replaces the first match, or all with the flag g. In the replacement `\1` is the first
    /// group, `\&` the whole match, and `\\` a backslash; before any other character a backslash is literal.
    public static Object replaced(Object[] values, Place place) {
        String text = text(values, 0);
        boolean numbered = values.length > 3 && values[3] instanceof Long;
        int at = numbered ? 5 : 3;
        long number = numbered && values.length > 4 ? (Long) values[4] : -1;
        if (numbered && values.length > 4 && number < 0) {
            throw place.error(
                    Kind.INVALID_PARAMETER, "The match to replace is counted from 1; 0 means all");
        }
        Matcher matcher = matcherFrom(values, numbered ? 3 : 9, at, place);
        boolean all = number < 0 ? flags(values, at).indexOf('g') >= 0 : number == 0;
        StringBuilder out = new StringBuilder();
        int end = 0;
        long found = 0;
        while (find(matcher, place)) {
            found++;
            if (!all && found < number) {
                continue;
            }
            out.append(text, end, matcher.start());
            replace(text(values, 2), matcher, out);
            end = matcher.end();
            if (!all) {
                break;
            }
        }
        return out.append(text, end, text.length()).toString();
    }

    private static void replace(String by, Matcher matcher, StringBuilder out) {
        for (int i = 0; i < by.length(); i++) {
            char c = by.charAt(i);
            if (c != '\\' || i + 1 == by.length()) {
                out.append(c);
                continue;
            }
            char next = by.charAt(++i);
            if (next == '&') {
                out.append(matcher.group());
            } else if (next >= '1' && next <= '9') {
                int group = next - '0';
                String found = group <= matcher.groupCount() ? matcher.group(group) : null;
                out.append(found == null ? "" : found);
            } else {
                out.append(next == '\\' ? "\\" : "\\" + next);
            }
        }
    }

    /// `flags` of a JSON path. There a point is no line feed without `s`, and lines have begins and ends with `m`,
    /// each whatever the other says.
    public static String ofLines(String flags) {
        String others = flags.replace("s", "").replace("m", "");
        String point = flags.indexOf('s') >= 0 ? "" : ".";
        return others + point + (flags.indexOf('m') >= 0 ? "^" : "");
    }

    /// A regular expression equivalent to a LIKE pattern.
    public static String ofLike(String like) {
        StringBuilder out = new StringBuilder("^");
        like.codePoints()
                .forEach(c -> {
                    if (c == '%') {
                        out.append(".*");
                    } else if (c == '_') {
                        out.append('.');
                    } else if ("\\^$.|?*+()[]{}".indexOf(c) >= 0) {
                        out.append('\\').appendCodePoint(c);
                    } else {
                        out.appendCodePoint(c);
                    }
                });
        return out.append('$').toString();
    }

    private static String text(Object[] values, int i) {
        return (String) values[i];
    }

    private static Long truth(boolean value) {
        return value ? 1L : 0L;
    }
}
