package dev.oriel.studio;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/// Judges a page by axe-core, which Node's packages bring.
final class Axe {
    private Axe() {}

    /// What axe-core finds against WCAG 2.1 AA; empty too if it is not here. A test that asks ends with [#required].
    static List<String> violations(RemoteBrowser page) throws Exception {
        List<String> all = new ArrayList<>();
        if (Node.missing() != null) {
            return all;
        }
        if (!page.run("!!window.axe").asBoolean()) {
            page.run(
                    "((() => {"
                            + Files.readString(Node.module("axe-core/axe.min.js"))
                            + "})(), 0)");
        }
        JsonNode found =
                page.run(
                        "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], resultTypes: ['violations'], selectors: false}).then(r =>"
                                + " [r.passes.length, r.violations.map(v => v.id + ' '"
                                + " + v.nodes.map(n => n.html + ' ' + n.failureSummary).slice(0, 3))])");
        if (found.get(0).asInt() < 5) {
            all.add("axe-core found nothing to look at");
        }
        found.get(1).forEach(one -> all.add(one.asText()));
        return all;
    }

    /// Skips the rest of a test if axe-core has judged nothing.
    static void required() throws Exception {
        String missing = Node.missing();
        assumeTrue(missing == null, missing);
    }
}
