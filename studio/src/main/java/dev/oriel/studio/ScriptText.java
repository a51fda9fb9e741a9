package dev.oriel.studio;

/// Makes scripts of libraries smaller: leaves out comments that stand on lines of their own, indentation and empty
/// lines. Nothing within a line is touched, so a text or a pattern that looks like a comment stays.
///
/// It knows templates of several lines, whose contents it keeps, by counting backticks outside of escapes.
final class ScriptText {
    private ScriptText() {}

    static String withoutComments(String script) {
        StringBuilder out = new StringBuilder(script.length());
        boolean comment = false;
        boolean template = false;
        for (String line : script.split("\n", -1)) {
            String text = template ? line : line.strip();
            if (comment) {
                int end = text.indexOf("*/");
                if (end < 0) {
                    continue;
                }
                comment = false;
                text = text.substring(end + 2).strip();
            }
            if (!template && text.startsWith("/*")) {
                int end = text.indexOf("*/", 2);
                if (end < 0) {
                    comment = true;
                    continue;
                }
                text = text.substring(end + 2).strip();
            }
            if (!template && (text.isEmpty() || text.startsWith("//"))) {
                continue;
            }
            template ^= opensTemplate(text, template);
            out.append(text).append('\n');
        }
        return out.toString();
    }

    /// Whether a line leaves a template open that was closed before it, or the other way round.
    private static boolean opensTemplate(String line, boolean within) {
        boolean open = within;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\\') {
                i++;
            } else if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '`') {
                open = !open;
            } else if (!open && (c == '"' || c == '\'')) {
                quote = c;
            } else if (!open && c == '/' && i + 1 < line.length() && line.charAt(i + 1) == '/') {
                break; // a comment behind the code, or the end of a pattern
            }
        }
        return open != within;
    }
}
