package dev.oriel.arch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds the methods of a Java file and their lengths by counting braces, without a parser. Methods
/// of a class within a method count as a part of it, and initializers not at all.
final class MethodLengths {
    /// @param lines from the line of the opening brace to that of the closing one
    record Method(String name, int lines) {}

    private enum Block {
        TYPE,
        METHOD,
        OTHER
    }

    private record Open(Block block, String name, int line) {}

    private static final Pattern TYPE =
            Pattern.compile("(?s).*\\b(class|interface|enum|record)\\s+\\w+.*");
    private static final Pattern PARENTHESES = Pattern.compile("\\([^()]*\\)");
    private static final Pattern NAME = Pattern.compile("(?<![@\\w.])(\\w+)\\s*\\(");

    private MethodLengths() {}

    static List<Method> of(String source) {
        List<Method> methods = new ArrayList<>();
        Deque<Open> stack = new ArrayDeque<>();
        String code = withoutComments(source, true);
        int line = 1;
        int headerStart = 0;
        for (int i = 0; i < code.length(); i++) {
            switch (code.charAt(i)) {
                case '\n' -> line++;
                case ';' -> headerStart = i + 1;
                case '{' -> {
                    stack.push(open(code.substring(headerStart, i), stack.peek(), line));
                    headerStart = i + 1;
                }
                case '}' -> {
                    Open closed = stack.pop();
                    if (closed.block == Block.METHOD) {
                        methods.add(new Method(closed.name, line - closed.line + 1));
                    }
                    headerStart = i + 1;
                }
                default -> {}
            }
        }
        return methods;
    }

    private static Open open(String header, @Nullable Open around, int line) {
        if (around != null && around.block != Block.TYPE) {
            return new Open(Block.OTHER, "", line);
        }
        String bare = header;
        for (String before = ""; !before.equals(bare); ) {
            before = bare;
            bare = PARENTHESES.matcher(bare).replaceAll("");
        }
        if (TYPE.matcher(bare).matches()) {
            return new Open(Block.TYPE, "", line);
        }
        if (bare.contains("=") || bare.isBlank()) {
            return new Open(Block.OTHER, "", line);
        }
        Matcher names = NAME.matcher(header);
        String name = names.find() ? names.group(1) : bare.strip();
        return new Open(Block.METHOD, name, line);
    }

    /// The code with blanks for its comments, and for its strings too if wanted, and with the same lines. A
    /// scanner and no regular expression: those run out of stack on long text blocks.
    static String withoutComments(String source, boolean withoutLiterals) {
        StringBuilder code = new StringBuilder(source);
        int i = 0;
        while (i < source.length()) {
            int end;
            boolean comment = source.startsWith("//", i) || source.startsWith("/*", i);
            if (source.startsWith("//", i)) {
                end = after("\n", source, i) - 1;
            } else if (source.startsWith("/*", i)) {
                end = after("*/", source, i + 2);
            } else if (source.startsWith("\"\"\"", i)) {
                end = afterLiteral("\"\"\"", source, i + 3);
            } else if (source.charAt(i) == '"' || source.charAt(i) == '\'') {
                end = afterLiteral(source.substring(i, i + 1), source, i + 1);
            } else {
                i++;
                continue;
            }
            for (; i < end; i++) {
                if ((comment || withoutLiterals) && source.charAt(i) != '\n') {
                    code.setCharAt(i, ' ');
                }
            }
        }
        return code.toString();
    }

    private static int after(String delimiter, String source, int from) {
        int at = source.indexOf(delimiter, from);
        return at < 0 ? source.length() : at + delimiter.length();
    }

    private static int afterLiteral(String delimiter, String source, int from) {
        int i = from;
        while (i < source.length() && !source.startsWith(delimiter, i)) {
            i += source.charAt(i) == '\\' ? 2 : 1;
        }
        return Math.min(source.length(), i + delimiter.length());
    }
}
