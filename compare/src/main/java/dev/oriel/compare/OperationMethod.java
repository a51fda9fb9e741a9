package dev.oriel.compare;

import java.util.List;

/// The method whose calls are the operations, as the user names it: `com.acme.Shop::sell`, `Shop.sell`, `sell`, or
/// its `@Watched` name.
record OperationMethod(String text) {
    private static final int NAMES_SHOWN = 10;

    /// The agent's pattern that records it.
    String pattern() {
        String name = plain();
        int dot = name.lastIndexOf('.');
        return text.contains("::") && name.indexOf('.') < dot
                ? text
                : "**" + name.substring(0, Math.max(0, dot)) + "::" + name.substring(dot + 1);
    }

    /// The recorded name of this method.
    ///
    /// @param names the most called first
    /// @param program for the message
    /// @throws CompareFailure if it is none of them, or may be several
    String in(List<String> names, String program) throws CompareFailure {
        String name = plain();
        if (names.contains(name)) {
            return name;
        }
        List<String> found = names.stream().filter(each -> each.endsWith("." + name)).toList();
        if (found.size() > 1) {
            throw new CompareFailure(
                    "Several methods of %s are called %s, so operations cannot be told; name one of %s"
                            .formatted(program, text, listed(found)));
        }
        if (found.isEmpty()) {
            String recorded =
                    names.isEmpty()
                            ? "no method was recorded"
                            : "recorded were, the most called first, " + listed(names);
            throw new CompareFailure(
                    "%s did not call %s while it was recorded, so there is no operation to divide by; %s"
                            .formatted(program, text, recorded));
        }
        return found.getFirst();
    }

    private static String listed(List<String> names) {
        String some = String.join(", ", names.subList(0, Math.min(NAMES_SHOWN, names.size())));
        int more = names.size() - NAMES_SHOWN;
        return more > 0 ? some + " and " + more + " more" : some;
    }

    /// The method's name in call trees.
    private String plain() {
        return text.replace("::", ".");
    }
}
