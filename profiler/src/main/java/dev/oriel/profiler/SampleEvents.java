package dev.oriel.profiler;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/// The samples of one kind for the script of a page, which filters them by time, thread and detail and makes trees
/// of the rest. Equal samples in a cell of time are one event. Confined to one thread.
final class SampleEvents {
    private static final String NO_STACK = "(no stack)";

    private final HeatScale scale;
    private final ToIntFunction<String> nameIndex;
    private final Map<Place, Integer> places = new LinkedHashMap<>();
    private final Map<String, Integer> threads = new LinkedHashMap<>();
    private final Map<String, Integer> details = new LinkedHashMap<>();
    private final Map<Key, Long> weights = new LinkedHashMap<>();

    /// A frame below another place; -1 for none.
    private record Place(int above, int name) {}

    private record Key(int place, int cell, int thread, int detail) {}

    /// @param nameIndex gives the index of a name, which it keeps
    SampleEvents(List<Sample> samples, HeatScale scale, ToIntFunction<String> nameIndex) {
        this.scale = scale;
        this.nameIndex = nameIndex;
        for (Sample sample : samples) {
            String thread = sample.thread().isEmpty() ? "unknown" : sample.thread();
            Key key =
                    new Key(
                            place(sample.stack()),
                            scale.cell(sample.atNanos()),
                            threads.computeIfAbsent(thread, name -> threads.size()),
                            details.computeIfAbsent(sample.detail(), name -> details.size()));
            weights.merge(key, sample.weight(), Math::addExact);
        }
    }

    /// From the outermost frame inwards. Frames are methods; the line of the innermost one is a place below it.
    private int place(List<Sample.StackFrame> stack) {
        int at = -1;
        for (Sample.StackFrame frame : stack.reversed()) {
            at = step(at, frame.name());
        }
        if (stack.isEmpty()) {
            at = step(at, NO_STACK);
        } else if (stack.getFirst().line() > 0) {
            at = step(at, stack.getFirst().toString());
        }
        return at;
    }

    private int step(int above, String name) {
        Place place = new Place(above, nameIndex.applyAsInt(name));
        return places.computeIfAbsent(place, key -> places.size());
    }

    /// Writes the fields into an open object.
    void write(JsonWriter json) throws IOException {
        json.name("columnNanos").value(scale.columnNanos()).name("cells").value(scale.cells());
        texts(json.name("threads"), threads);
        texts(json.name("details"), details);
        json.name("places").open('[');
        for (Place place : places.keySet()) {
            json.value(place.above()).value(place.name());
        }
        json.close(']').line().name("events").open('[');
        for (Map.Entry<Key, Long> event : weights.entrySet()) {
            Key key = event.getKey();
            json.value(key.place()).value(key.cell()).value(key.thread()).value(key.detail());
            json.value(event.getValue());
        }
        json.close(']');
    }

    private static void texts(JsonWriter json, Map<String, Integer> texts) throws IOException {
        json.open('[');
        for (String text : new ArrayList<>(texts.keySet())) {
            json.value(text);
        }
        json.close(']');
    }
}
