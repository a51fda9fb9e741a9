package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The libraries of the page, from their jars: an import map from their names to paths, and the files at these
/// paths. Safe for use by any thread.
final class Libraries {
    static final String PREFIX = "/lib/";
    private static final String MAPS = "META-INF/importmap.json";
    private static final String MAPPED = "META-INF/resources";
    private static final String WEBJARS = "META-INF/resources/webjars/";

    /// Files of jars that have no import map: name, then the path within the folder of webjars.
    private static final Map<String, String> OTHERS =
            Map.of(
                    "uplot", "uplot/1.6.30/dist/uPlot.iife.min.js",
                    "uplot.css", "uplot/1.6.30/dist/uPlot.min.css",
                    "cytoscape", "cytoscape/3.33.1/dist/cytoscape.esm.min.mjs");

    private final Map<String, String> resources;
    private final String importMap;
    private final Map<String, byte[]> made = new ConcurrentHashMap<>();

    private Libraries(Map<String, String> resources, String importMap) {
        this.resources = resources;
        this.importMap = importMap;
    }

    /// Reads the import maps of all jars on the class path.
    static Libraries load() {
        Map<String, String> resources = new HashMap<>();
        Map<String, String> imports = new TreeMap<>();
        try {
            for (URL url : Collections.list(loader().getResources(MAPS))) {
                try (InputStream in = url.openStream()) {
                    JsonNode map = Exchange.JSON.readTree(in).path("imports");
                    map.properties()
                            .forEach(entry -> {
                                String name = entry.getKey();
                                String file = entry.getValue().asText();
                                if (!name.endsWith("/")) {
                                    put(name, MAPPED + file, resources, imports);
                                }
                            });
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        OTHERS.forEach((name, file) -> put(name, WEBJARS + file, resources, imports));
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ObjectNode names = json.putObject("imports");
        imports.forEach(names::put);
        return new Libraries(Map.copyOf(resources), json.toString());
    }

    private static void put(
            String name,
            String resource,
            Map<String, String> resources,
            Map<String, String> imports) {
        String ending = resource.substring(resource.lastIndexOf('.'));
        String path =
                PREFIX
                        + (name.endsWith(ending) ? name : name + ending)
                                .replace("@", "")
                                .replace('/', '-');
        resources.put(path, resource);
        imports.put(name, path);
    }

    private static ClassLoader loader() {
        return Libraries.class.getClassLoader();
    }

    /// Text of the import map, a JSON object.
    String importMap() {
        return importMap;
    }

    /// Paths of all files.
    Set<String> paths() {
        return resources.keySet();
    }

    /// The file at a path that begins with [#PREFIX], made smaller; null if no library has it.
    byte @Nullable [] file(String path) throws IOException {
        byte[] known = made.get(path);
        if (known == null) {
            byte[] whole = original(path);
            if (whole == null) {
                return null;
            }
            known = smaller(path, whole);
            made.put(path, known);
        }
        return known;
    }

    /// The file as its jar has it.
    byte @Nullable [] original(String path) throws IOException {
        String resource = resources.get(path);
        if (resource == null) {
            return null;
        }
        try (InputStream in = loader().getResourceAsStream(resource)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    private byte[] smaller(String path, byte[] whole) {
        String resource = String.valueOf(resources.get(path));
        if (resource.contains(".iife.")) { // a script that makes a variable, as a module
            String text = new String(whole, StandardCharsets.UTF_8) + "\nexport default uPlot;\n";
            return text.getBytes(StandardCharsets.UTF_8);
        }
        if (!resource.startsWith(WEBJARS) && resource.endsWith(".js")) {
            String text = ScriptText.withoutComments(new String(whole, StandardCharsets.UTF_8));
            return text.getBytes(StandardCharsets.UTF_8);
        }
        return whole;
    }
}
