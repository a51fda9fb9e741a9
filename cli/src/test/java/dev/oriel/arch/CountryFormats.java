package dev.oriel.arch;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Finds the statements of a Java file that format a figure in the manner of the country which the JVM runs in.
final class CountryFormats {
    /// A number with grouped digits or with a point, and no `%%` before such a letter.
    private static final Pattern FIGURE =
            Pattern.compile(
                    "(?<!%)(?:%%)*%(?:\\d+\\$)?(?:[-+ 0#(]*,[-+ 0#,(]*\\d*d|[-+ 0#,(]*\\d*(?:\\.\\d+)?[feEgG])");

    private static final Pattern CALL = Pattern.compile("\\b(?:formatted|format|printf)\\(");

    private CountryFormats() {}

    /// Each without its indentation.
    static List<String> of(String source) {
        String code = MethodLengths.withoutComments(source, true);
        String text = MethodLengths.withoutComments(source, false);
        List<String> found = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < code.length(); i++) {
            if (";{}".indexOf(code.charAt(i)) >= 0) {
                String statement = code.substring(start, i);
                if (CALL.matcher(statement).find()
                        && !statement.contains("Locale")
                        && FIGURE.matcher(text.substring(start, i)).find()) {
                    found.add(text.substring(start, i).strip().replaceAll("\\s+", " "));
                }
                start = i + 1;
            }
        }
        return found;
    }
}
