package dev.oriel.profiler;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The scripts that draw profiles and comparisons: flame graphs, rings, call trees, heat maps, ratios on an axis, as ES
/// modules. The static pages hold those that they need in one script, and the studio serves them to its page, so all
/// draw the same.
public final class ReportScripts {
    private static final List<String> MODULES =
            List.of(
                    "frames.js",
                    "trees.js",
                    "flame.js",
                    "rings.js",
                    "calls.js",
                    "heat.js",
                    "axes.js");

    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import [^;]* from \"\\./([a-z]+\\.js)\";\\R");

    private ReportScripts() {}

    /// Names of the modules, each before the modules that import it.
    public static List<String> names() {
        return MODULES;
    }

    /// Text of a module; null if there is none of this name.
    public static @Nullable String module(String name) throws IOException {
        return MODULES.contains(name) ? text(name) : null;
    }

    /// A page's own module as one script, with the modules that it imports and those that these import, for pages that
    /// load nothing.
    static String with(String own) throws IOException {
        Set<String> needed = new HashSet<>();
        addImports(own, needed);
        StringBuilder all = new StringBuilder("\"use strict\";\n(() => {\n");
        for (String name : MODULES) {
            if (needed.contains(name)) {
                all.append(plain(text(name)));
            }
        }
        return all.append(plain(own)).append("})();\n").toString();
    }

    private static void addImports(String module, Set<String> into) throws IOException {
        for (MatchResult found : IMPORT.matcher(module).results().toList()) {
            if (into.add(found.group(1))) {
                addImports(text(found.group(1)), into);
            }
        }
    }

    /// A module's text as a part of a script in which all modules share their names.
    private static String plain(String module) {
        return IMPORT.matcher(module).replaceAll("").replaceAll("(?m)^export ", "");
    }

    static String text(String name) throws IOException {
        try (InputStream in = ReportScripts.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new NoSuchElementException(name + " is missing from the profiler's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
