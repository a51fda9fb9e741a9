package dev.oriel.cli;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/// Prints the results of a traversal as rows, as they come. Vertices and edges have a column for each property, maps
/// one for each key, any other value one column.
///
/// Results are processed in parts. If a part has other columns than the one before, a new table begins. So
/// nothing is left out, and a result of any size takes little memory.
final class ResultRows {
    private static final int PART = 1_000;
    private static final String VALUE = "result";

    private final Screen screen;
    private final Function<List<RowPrinter.Column>, RowPrinter> printers;
    private List<RowPrinter.Column> columns = List.of();
    private @Nullable RowPrinter printer;
    private long count;

    ResultRows(Screen screen, Function<List<RowPrinter.Column>, RowPrinter> printers) {
        this.screen = screen;
        this.printers = printers;
    }

    /// Prints all of `results`.
    ///
    /// @return number of results
    long print(Iterator<?> results) {
        List<Map<String, Object>> part = new ArrayList<>();
        boolean read = true;
        while (read && results.hasNext()) {
            part.add(cells(results.next()));
            if (part.size() == PART) {
                print(part);
                part.clear();
                // The reader may have gone: `oriel gremlin ... | head`.
                read = !screen.out().checkError();
            }
        }
        if (!part.isEmpty()) {
            print(part);
        }
        if (printer != null) {
            printer.finish();
        }
        return count;
    }

    private static Map<String, Object> cells(@Nullable Object result) {
        Map<String, Object> cells = new LinkedHashMap<>();
        switch (result) {
            case Vertex vertex -> {
                cells.put("id", vertex.id());
                cells.put("label", vertex.label());
                ResultText.properties(vertex).forEach((key, values) -> put(cells, key, values));
            }
            case Edge edge -> {
                cells.put("id", edge.id());
                cells.put("label", edge.label());
                cells.put("from", edge.outVertex().id());
                cells.put("to", edge.inVertex().id());
                ResultText.properties(edge).forEach((key, values) -> put(cells, key, values));
            }
            case Map<?, ?> map ->
                    map.forEach((key, value) ->
                            cells.put(ResultText.of(key), value == null ? "null" : value));
            case null -> cells.put(VALUE, "null");
            default -> cells.put(VALUE, result);
        }
        if (cells.isEmpty()) {
            cells.put(VALUE, "{}");
        }
        return cells;
    }

    /// Adds a cell; a property may have the name of another column.
    private static void put(Map<String, Object> cells, String key, List<Object> values) {
        String title = cells.containsKey(key) ? key + "~" : key;
        cells.put(title, values.size() == 1 ? values.getFirst() : values);
    }

    private void print(List<Map<String, Object>> part) {
        List<RowPrinter.Column> wanted = columns(part);
        RowPrinter current = printer;
        if (current == null || !titles(wanted).equals(titles(columns))) {
            if (current != null) {
                current.finish();
                screen.out().println();
            }
            columns = wanted;
            current = printers.apply(columns);
            printer = current;
        }
        for (Map<String, Object> cells : part) {
            List<@Nullable String> row = new ArrayList<>(columns.size());
            for (RowPrinter.Column column : columns) {
                Object cell = cells.get(column.title());
                row.add(cell == null ? null : ResultText.of(cell));
            }
            current.row(row);
            count++;
        }
    }

    private static List<String> titles(List<RowPrinter.Column> columns) {
        return columns.stream().map(RowPrinter.Column::title).toList();
    }

    private static List<RowPrinter.Column> columns(List<Map<String, Object>> part) {
        Set<String> titles = new LinkedHashSet<>();
        part.forEach(cells -> titles.addAll(cells.keySet()));
        List<RowPrinter.Column> columns = new ArrayList<>();
        for (String title : titles) {
            boolean numbers = true;
            for (Map<String, Object> cells : part) {
                Object cell = cells.get(title);
                numbers &= cell == null || cell instanceof Number;
            }
            columns.add(new RowPrinter.Column(title, numbers));
        }
        return columns;
    }
}
