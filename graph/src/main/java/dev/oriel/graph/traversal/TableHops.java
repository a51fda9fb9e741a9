package dev.oriel.graph.traversal;

import dev.oriel.graph.memory.Budget;
import dev.oriel.graph.memory.BytesMap;
import dev.oriel.graph.memory.LongMultiset;
import dev.oriel.graph.tables.EdgeEnds;
import dev.oriel.graph.tables.ElementTable;
import dev.oriel.graph.tables.RowGraph;
import dev.oriel.graph.tables.TableVertex;
import dev.oriel.store.Slice;
import dev.oriel.table.definition.Index;
import dev.oriel.table.key.RowKey;
import dev.oriel.table.value.Tuple;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// Hops in a [RowGraph]: ranges of the indexes over the ends of edges. A vertex gets a number when it is first
/// met, by its table and key. Numbers are kept during the run of the step, some ten bytes each in addition to the
/// key.
final class TableHops implements HopSource {
    private final RowGraph graph;
    private final BytesMap numbers = new BytesMap(new Budget("A hop over tables", Long.MAX_VALUE));
    private final List<Met> met = new ArrayList<>();
    private final Map<String, RowKey> keys = new HashMap<>();
    private byte[] name = new byte[64];

    /// A vertex that was met.
    private record Met(ElementTable table, Tuple key) {}

    TableHops(RowGraph graph) {
        this.graph = graph;
    }

    @Override
    public long number(Vertex vertex) {
        if (!(vertex instanceof TableVertex own) || !own.inGraph().isOf(graph)) {
            return STRANGER;
        }
        return own.isRemoved() ? REMOVED : number(own.table(), own.key());
    }

    /// The number of the vertex with this key; the caller may reuse the key.
    private long number(ElementTable table, Tuple key) {
        RowKey form = keys.computeIfAbsent(table.label(), _ -> new RowKey(table.table()));
        Slice bytes = form.of(key);
        byte[] label = table.labelBytes();
        int length = label.length + bytes.length();
        if (name.length < length) {
            name = new byte[2 * length];
        }
        System.arraycopy(label, 0, name, 0, label.length);
        MemorySegment.copy(
                bytes.segment(),
                ValueLayout.JAVA_BYTE,
                bytes.offset(),
                name,
                label.length,
                bytes.length());
        long known = numbers.get(name, 0, length, 0);
        if (known == 0) {
            met.add(new Met(table, table.copyKey(key)));
            known = met.size();
            numbers.putNew(name, 0, length, known);
        }
        return known;
    }

    private Met met(long number) {
        return met.get((int) number - 1);
    }

    @Override
    public Vertex vertex(long number) {
        Met of = met(number);
        return new TableVertex(graph, of.table, of.key, null);
    }

    private List<Way> ways(Hop hop, ElementTable from) {
        return ways(graph, hop, from);
    }

    /// The edges that `hop` follows from the vertices of a table.
    static List<Way> ways(RowGraph graph, Hop hop, ElementTable from) {
        List<Way> ways = new ArrayList<>();
        for (boolean reverse : new boolean[] {false, true}) {
            if (hop.direction() == (reverse ? Direction.OUT : Direction.IN)) {
                continue;
            }
            for (EdgeEnds ends : graph.edgeTables()) {
                boolean wanted =
                        hop.labels().isEmpty() || hop.labels().contains(ends.edges().label());
                if (wanted && ends.end(reverse).vertices().label().equals(from.label())) {
                    ways.add(new Way(ends, reverse));
                }
            }
        }
        return ways;
    }

    /// Edges of one table that lead away from their source, or, if `reverse`, from their target.
    record Way(EdgeEnds ends, boolean reverse) {
        /// The end at which it begins.
        EdgeEnds.End near() {
            return ends.end(reverse);
        }
    }

    @Override
    public List<String> plan(Hop hop) {
        List<String> words = new ArrayList<>();
        for (ElementTable from : graph.vertexTables()) {
            for (Way way : ways(hop, from)) {
                words.add(way.ends.edges().label() + " by " + access(way.near()));
            }
        }
        return words;
    }

    private static String access(EdgeEnds.End near) {
        Index index = near.access();
        if (!near.indexed()) {
            return "reading all of it";
        }
        return index == null ? "primary key" : "index " + index.name();
    }

    @Override
    public long degree(Hop hop, long vertex) {
        Met of = met(vertex);
        long degree = 0;
        for (Way way : ways(hop, of.table)) {
            degree += graph.work().degree(way.ends, way.reverse, of.key);
        }
        return degree;
    }

    @Override
    public HopReader reader(Hop hop) {
        return new Reader(hop);
    }

    /// Reads all neighbours of a vertex at once.
    private final class Reader implements HopReader {
        private final Hop hop;
        private long[] reached = new long[16];
        private int count;
        private int at;

        Reader(Hop hop) {
            this.hop = hop;
        }

        @Override
        public void begin(long vertex) {
            count = 0;
            at = 0;
            Met of = met(vertex);
            for (Way way : ways(hop, of.table)) {
                ElementTable far = way.ends.end(!way.reverse).vertices();
                graph.work()
                        .neighbours(way.ends, way.reverse, of.key, key -> add(number(far, key)));
            }
        }

        private void add(long number) {
            if (count == reached.length) {
                reached = Arrays.copyOf(reached, 2 * count);
            }
            reached[count++] = number;
        }

        @Override
        public boolean read(LongMultiset into, long bulk, int most) {
            while (at < count) {
                into.add(reached[at++], bulk);
                if (into.size() >= most) {
                    break;
                }
            }
            return at == count;
        }
    }
}
