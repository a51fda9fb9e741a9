package dev.oriel.profiler;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/// The samples of one kind for the script of a page, which filters them by time, thread, object and holder and makes
/// trees of the rest. Equal samples in a cell of time are one event. Confined to one thread.
final class SampleEvents {
    private static final String NO_STACK = "(no stack)";
    private static final String UNKNOWN = "(unknown)";

    /// Threads, objects and holders that are told apart, each from the greatest weight on.
    private static final int GROUPS_MAX = 200;

    private static final String OTHERS = "(others)";
    private static final String VIRTUAL = "virtual-";

    private final HeatScale scale;
    private final ToIntFunction<String> nameIndex;
    private final Map<Place, Integer> places = new LinkedHashMap<>();
    private final Groups threads;
    private final Groups objects;
    private final Groups holders;
    private final Map<Key, Long> weights = new LinkedHashMap<>();

    /// A frame below another place; -1 for none.
    private record Place(int above, int name) {}

    private record Key(int place, int cell, int thread, int object, int holder) {}

    /// @param nameIndex gives the index of a name, which it keeps
    SampleEvents(List<Sample> samples, HeatScale scale, ToIntFunction<String> nameIndex) {
        this.scale = scale;
        this.nameIndex = nameIndex;
        threads = new Groups(samples, SampleEvents::thread);
        objects = new Groups(samples, Sample::object);
        holders = new Groups(samples, Sample::holder);
        for (Sample sample : samples) {
            Key key =
                    new Key(
                            place(sample.stack()),
                            scale.cell(sample.atNanos()),
                            threads.index(sample),
                            objects.index(sample),
                            holders.index(sample));
            weights.merge(key, sample.weight(), Math::addExact);
        }
    }

    /// Virtual threads without a name are as many as there are tasks, and one to the reader.
    private static String thread(Sample sample) {
        boolean unnamed =
                sample.thread().startsWith(VIRTUAL)
                        && sample.thread()
                                .chars()
                                .skip(VIRTUAL.length())
                                .allMatch(Character::isDigit);
        return unnamed ? "virtual threads" : sample.thread();
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
        threads.write(json.name("threads"));
        objects.write(json.name("details"));
        holders.write(json.name("holders"));
        json.name("places").open('[');
        for (Place place : places.keySet()) {
            json.value(place.above()).value(place.name());
        }
        json.close(']').line().name("events").open('[');
        for (Map.Entry<Key, Long> event : weights.entrySet()) {
            Key key = event.getKey();
            json.value(key.place()).value(key.cell()).value(key.thread()).value(key.object());
            json.value(key.holder()).value(event.getValue());
        }
        json.close(']');
    }

    /// The names by which samples are grouped, and their indexes.
    private static final class Groups {
        private final Function<Sample, String> nameOf;
        private final Map<String, Integer> indexes = new LinkedHashMap<>();

        Groups(List<Sample> samples, Function<Sample, String> nameOf) {
            this.nameOf = nameOf;
            Map<String, Long> weights = new HashMap<>();
            for (Sample sample : samples) {
                weights.merge(nameOf.apply(sample), sample.weight(), Math::addExact);
            }
            weights.entrySet().stream()
                    .sorted(
                            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                                    .thenComparing(Map.Entry.comparingByKey()))
                    .limit(GROUPS_MAX)
                    .forEach(group -> indexes.put(group.getKey(), indexes.size()));
            if (weights.size() > GROUPS_MAX) {
                indexes.put(OTHERS, indexes.size());
            }
        }

        int index(Sample sample) {
            Integer known = indexes.get(nameOf.apply(sample));
            return known == null ? indexes.size() - 1 : known;
        }

        void write(JsonWriter json) throws IOException {
            json.open('[');
            for (String name : indexes.keySet()) {
                json.value(name.isEmpty() ? UNKNOWN : name);
            }
            json.close(']');
        }
    }
}
