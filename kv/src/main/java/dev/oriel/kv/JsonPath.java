package dev.oriel.kv;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The steps of a path into a JSON text.
///
/// @param steps names as String, positions as Integer; -1 is the last
record JsonPath(List<Object> steps) {
    private static final int BYTES_MAX = 1024;

    /// Parses a path; null if it is invalid.
    static @Nullable JsonPath parse(String path) {
        if (path.length() > BYTES_MAX) {
            return null;
        }
        List<Object> steps = new ArrayList<>();
        int i = 0;
        while (i < path.length()) {
            char c = path.charAt(i);
            if (c == '[') {
                int close = path.indexOf(']', i);
                Integer position = close < 0 ? null : position(path.substring(i + 1, close));
                if (position == null) {
                    return null;
                }
                steps.add(position);
                i = close + 1;
            } else {
                StringBuilder name = new StringBuilder();
                i = name(path, i, name);
                if (i < 0) {
                    return null;
                }
                steps.add(name.toString());
            }
            if (i < path.length() && path.charAt(i) == '.') {
                i++;
                if (i == path.length() || path.charAt(i) == '[') {
                    return null;
                }
            } else if (i < path.length() && path.charAt(i) != '[') {
                return null;
            }
        }
        return steps.size() > JsonScan.DEPTH_MAX ? null : new JsonPath(steps);
    }

    private static @Nullable Integer position(String digits) {
        if (digits.equals("-1")) {
            return -1;
        }
        if (digits.isEmpty() || digits.length() > 9) {
            return null;
        }
        for (int i = 0; i < digits.length(); i++) {
            if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
                return null;
            }
        }
        return Integer.valueOf(digits);
    }

    /// Reads the name at `from` into `name`, and returns its end; -1 if there is none.
    private static int name(String path, int from, StringBuilder name) {
        int i = from;
        if (path.charAt(i) == '`') {
            i++;
            while (i < path.length()) {
                char c = path.charAt(i++);
                if (c != '`') {
                    name.append(c);
                } else if (i < path.length() && path.charAt(i) == '`') {
                    name.append(c); // two stand for one
                    i++;
                } else {
                    return i;
                }
            }
            return -1;
        }
        while (i < path.length() && ".[]`".indexOf(path.charAt(i)) < 0) {
            name.append(path.charAt(i++));
        }
        return name.isEmpty() ? -1 : i;
    }

    boolean isRoot() {
        return steps.isEmpty();
    }

    /// The path without its last step.
    JsonPath parent() {
        return new JsonPath(steps.subList(0, steps.size() - 1));
    }

    /// The last step.
    Object last() {
        return steps.getLast();
    }
}
