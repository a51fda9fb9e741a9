package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The scripts of the page: their types, written as JSDoc, by TypeScript's compiler; their functions by Node's own
/// test runner. Skipped without Node.
class ScriptsTest {
    private static final Path WEB =
            Path.of("src", "main", "resources", "dev", "oriel", "studio", "web").toAbsolutePath();
    private static final Path SCRIPTS = Path.of("src", "test", "scripts").toAbsolutePath();

    @BeforeEach
    void install() throws Exception {
        String missing = Node.missing();
        assumeTrue(missing == null, missing);
    }

    @Test
    void typesFit() throws Exception {
        Path project = Path.of("target", "node", "tsconfig.json");
        ObjectNode config =
                (ObjectNode)
                        Exchange.JSON.readTree(Files.readString(SCRIPTS.resolve("tsconfig.json")));
        ArrayNode files = config.putArray("include");
        files.add(WEB + "/*.js").add(SCRIPTS + "/*.d.ts");
        Files.writeString(project, config.toPrettyString());
        Node.Run checked =
                Node.run(
                        Path.of("target", "node"),
                        "node",
                        Node.module("typescript/bin/tsc").toString(),
                        "--project",
                        "tsconfig.json");
        assertEquals(0, checked.code(), checked.output());
    }

    @Test
    void functionsOfThePageHold() throws Exception {
        List<String> command = new ArrayList<>(List.of("node", "--test"));
        try (Stream<Path> files = Files.list(SCRIPTS)) {
            files.map(Path::toString)
                    .filter(name -> name.endsWith(".test.js"))
                    .forEach(command::add);
        }
        assertTrue(command.size() > 2, "there is no test");
        Node.Run tested = Node.run(SCRIPTS, command.toArray(String[]::new));
        assertEquals(0, tested.code(), tested.output());
    }
}
