package dev.oriel.profiler;

import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import java.util.regex.Pattern;

/// A set of methods by name: `com.acme.**` is every class of the package and its subpackages, `com.acme.*` every
/// class of the package alone, `com.acme.Order` one class. `::total*` after it keeps the methods whose names
/// match. A `*` stands for any characters but a dot, `**` for any. Nested classes are named with `$`, constructors
/// `<init>`.
record MethodPattern(Pattern owner, Pattern method) {

    static MethodPattern parse(String text) {
        int colons = text.indexOf("::");
        String owner = colons < 0 ? text : text.substring(0, colons);
        String method = colons < 0 ? "**" : text.substring(colons + 2);
        if (owner.isEmpty() || method.isEmpty()) {
            throw new IllegalArgumentException("Not a pattern of methods: '" + text + "'");
        }
        return new MethodPattern(glob(owner), glob(method));
    }

    /// Patterns separated by commas.
    static List<MethodPattern> parseList(String text) {
        List<MethodPattern> patterns = new ArrayList<>();
        StringTokenizer tokens = new StringTokenizer(text, ",");
        while (tokens.hasMoreTokens()) {
            patterns.add(parse(tokens.nextToken().strip()));
        }
        return List.copyOf(patterns);
    }

    boolean matchesClass(String name) {
        return owner.matcher(name).matches();
    }

    boolean matches(String className, String methodName) {
        return matchesClass(className) && method.matcher(methodName).matches();
    }

    static Pattern glob(String text) {
        StringBuilder regex = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            if (text.startsWith("**", i)) {
                regex.append(".*");
                i += 2;
            } else if (text.charAt(i) == '*') {
                regex.append("[^.]*");
                i++;
            } else {
                regex.append(Pattern.quote(text.substring(i, i + 1)));
                i++;
            }
        }
        return Pattern.compile(regex.toString());
    }
}
