package dev.oriel.bench.graph;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A graph that is loaded to be read: people with names, cities and ages, and who knows whom, by number. A
/// person's city is `c` and the person's number modulo the number of cities.
public final class ReadGraph {
    static final int AGES = 50;
    private static final int A_CITY = 200;
    private static final String FOLDER = "/dev/oriel/cli/airroutes/";

    private final String[] names;
    private final int cities;
    private final int[] sources;
    private final int[] targets;

    private ReadGraph(String[] names, int[] sources, int[] targets) {
        this.names = names;
        this.cities = Math.max(1, names.length / A_CITY);
        this.sources = sources;
        this.targets = targets;
    }

    /// A random graph.
    static ReadGraph scaleFree(int people, int friendships, long seed) {
        ScaleFree graph = ScaleFree.of(people, friendships, seed);
        int[] sources = new int[friendships];
        int[] targets = new int[friendships];
        for (int i = 0; i < friendships; i++) {
            sources[i] = graph.source(i);
            targets[i] = graph.target(i);
        }
        return new ReadGraph(GraphLoads.names(people), sources, targets);
    }

    /// The world's airports and the routes between them: an airport takes the place of a person, named by its
    /// code.
    static ReadGraph airRoutes() throws IOException {
        List<String> names = new ArrayList<>();
        Map<String, Integer> numbers = new HashMap<>();
        for (String row : rows("airports.csv")) {
            String[] fields = row.split(",", 3);
            numbers.put(fields[0], names.size());
            names.add(fields[1]);
        }
        List<String> routes = rows("routes.csv");
        int[] sources = new int[routes.size()];
        int[] targets = new int[routes.size()];
        for (int i = 0; i < sources.length; i++) {
            String[] fields = routes.get(i).split(",", -1);
            sources[i] = Objects.requireNonNull(numbers.get(fields[0]));
            targets[i] = Objects.requireNonNull(numbers.get(fields[1]));
        }
        return new ReadGraph(names.toArray(new String[0]), sources, targets);
    }

    private static List<String> rows(String name) throws IOException {
        InputStream data = ReadGraph.class.getResourceAsStream(FOLDER + name);
        if (data == null) {
            throw new IOException("The build has left out " + name);
        }
        List<String> rows = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(data, StandardCharsets.UTF_8))) {
            lines.readLine(); // titles
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                rows.add(line);
            }
        }
        return rows;
    }

    /// Number of people.
    public int people() {
        return names.length;
    }

    /// Number of edges.
    public int edges() {
        return sources.length;
    }

    /// Name of a person.
    public String name(int person) {
        return names[person];
    }

    int cities() {
        return cities;
    }

    /// Source of an edge, the person who knows; ascending in a random graph.
    public int source(int edge) {
        return sources[edge];
    }

    /// Target of an edge, the person who is known.
    public int target(int edge) {
        return targets[edge];
    }

    /// City of a person.
    public String city(int person) {
        return "c" + person % cities;
    }

    /// Age of a person. All ages are equally frequent within a city.
    public int age(int person) {
        return person / cities % AGES;
    }
}
