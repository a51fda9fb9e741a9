package dev.oriel.sql.plan;

import dev.oriel.sql.value.LikePattern;
import dev.oriel.sql.value.Texts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A constant LIKE pattern with no wildcard but `%`: the texts between the wildcards, which are searched for one
/// after the other.
///
/// @param parts at least one; the first begins the text and the last ends it; each is empty if any text may do so
record LikeParts(List<String> parts) {
    /// The parts of `pattern`; null if it is not of that form.
    static @Nullable LikeParts of(Scalar pattern, @Nullable Scalar escape, boolean ignoreCase) {
        if (escape != null
                || ignoreCase
                || !(pattern instanceof Scalar.Constant constant)
                || !(constant.reference() instanceof String text)) {
            return null;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '_' || c == LikePattern.USUAL_ESCAPE || Character.isSurrogate(c)) {
                return null;
            }
        }
        return new LikeParts(List.of(text.split("%", -1)));
    }

    boolean match(String text) {
        int last = parts.size() - 1;
        String first = parts.getFirst();
        if (last == 0) {
            return text.equals(first);
        }
        String end = parts.get(last);
        int most = text.length() - end.length();
        if (!text.startsWith(first) || most < first.length() || !text.endsWith(end)) {
            return false;
        }
        int at = first.length();
        for (int i = 1; i < last; i++) {
            String part = parts.get(i);
            at = Texts.indexOf(text, part, at);
            if (at < 0) {
                return false;
            }
            at += part.length();
        }
        return at <= most;
    }
}
