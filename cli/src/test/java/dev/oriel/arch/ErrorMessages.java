package dev.oriel.arch;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the messages of errors in a Java file, without a parser: the literals of the first argument with text, of
/// each call that makes an exception, but for the ones that stand for a defect of the program itself. Values between
/// the literals show as `...`.
final class ErrorMessages {
    private static final Pattern CALL =
            Pattern.compile(
                    "\\bnew (?!IllegalState|Assertion)\\w*(?:Exception|Error)\\(|\\bSqlStates\\s*\\.exception\\(|\\.error\\(|\\bunsupported\\(");
    private static final Pattern JOINED = Pattern.compile("\\s*\\+\\s*");
    private static final Pattern FORMATTED =
            Pattern.compile("\\s*\\.formatted\\(.*", Pattern.DOTALL);
    private static final String VALUE = "...";

    private ErrorMessages() {}

    static List<String> of(String source) {
        String code = MethodLengths.withoutComments(source, false);
        String bare = MethodLengths.withoutComments(source, true);
        List<String> messages = new ArrayList<>();
        Matcher calls = CALL.matcher(bare);
        while (calls.find()) {
            String message = message(code, bare, calls.end());
            if (!message.isEmpty()) {
                messages.add(message);
            }
        }
        return messages;
    }

    /// The first argument with a literal, of the arguments that begin at `from`; empty if there is none.
    ///
    /// @param bare the code with blanks for its literals
    private static String message(String code, String bare, int from) {
        int depth = 0;
        int begin = from;
        for (int i = from; i < bare.length(); i++) {
            char c = bare.charAt(i);
            boolean ends = depth == 0 && (c == ',' || c == ')');
            if (ends) {
                String message = text(code.substring(begin, i));
                if (!message.isEmpty() || c == ')') {
                    return message;
                }
                begin = i + 1;
            }
            depth += c == '(' || c == '{' || c == '[' ? 1 : 0;
            depth -= c == ')' || c == '}' || c == ']' ? 1 : 0;
        }
        return "";
    }

    /// The literals of an expression, one after the other.
    private static String text(String expression) {
        StringBuilder text = new StringBuilder();
        int after = 0;
        int i = expression.indexOf('"');
        while (i >= 0) {
            int end = i + 1;
            while (expression.charAt(end) != '"') {
                end += expression.charAt(end) == '\\' ? 2 : 1;
            }
            String between = expression.substring(after, i);
            boolean first = text.isEmpty() && between.isBlank();
            text.append(first || JOINED.matcher(between).matches() ? "" : VALUE);
            text.append(expression, i + 1, end);
            after = end + 1;
            String rest = expression.substring(after);
            i = FORMATTED.matcher(rest).matches() ? -1 : expression.indexOf('"', after);
            if (i < 0) {
                text.append(rest.isBlank() || rest.contains(".formatted(") ? "" : VALUE);
            }
        }
        return text.toString();
    }
}
