package dev.oriel.profiler;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// The scripts that draw profiles: flame graphs, rings, call trees and heat maps, as ES modules. The static pages hold
/// them in one script, and the studio serves them to its page, so all pages draw alike.
public final class ReportScripts {
    private static final List<String> MODULES =
            List.of("frames.js", "trees.js", "flame.js", "rings.js", "calls.js", "heat.js");

    private ReportScripts() {}

    /// Names of the modules, each before the modules that import it.
    public static List<String> names() {
        return MODULES;
    }

    /// Text of a module; null if there is none of this name.
    public static @Nullable String module(String name) throws IOException {
        return MODULES.contains(name) ? text(name) : null;
    }

    /// The modules and a page's own module as one script, for pages that load nothing.
    static String with(String own) throws IOException {
        StringBuilder all = new StringBuilder("\"use strict\";\n(() => {\n");
        for (String name : MODULES) {
            all.append(plain(text(name)));
        }
        return all.append(plain(own)).append("})();\n").toString();
    }

    /// A module's text as a part of a script in which all modules share their names.
    private static String plain(String module) {
        return module.replaceAll("(?m)^import .*\\n", "").replaceAll("(?m)^export ", "");
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
