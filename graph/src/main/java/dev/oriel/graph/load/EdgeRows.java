package dev.oriel.graph.load;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.memory.BytesMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Loads the edges of one file.
final class EdgeRows implements LoadRun.RowTarget {
    private final LoadRun run;
    private final LoadFile file;
    private final Map<String, Target> targets = new HashMap<>();
    private @Nullable Target last;
    private @Nullable BytesMap ids;

    /// Id of the last source, and its vertex: edges of one source often come together.
    private byte[] lastSource = new byte[0];

    private long lastSourceVertex;

    /// The row of a label, and the binding of fields to it.
    private record Target(EdgeRow row, PropertyBinding binding) {
        EdgeLabel label() {
            return row.label();
        }
    }

    EdgeRows(LoadRun run, LoadFile file) {
        this.run = run;
        this.file = file;
    }

    @Override
    public void load(CsvSource in) throws RejectedRow {
        Target target = target(in);
        long source = source(in);
        long end = end(in, file.header().target(), "target");
        target.row.checkLink(source, end);
        target.binding.fill(in, target.row.row());
        int field = file.header().id();
        Object id = field < 0 || in.isAbsent(field) ? null : id(target.label(), in, field);
        target.row.insert(source, end, id);
    }

    private Target target(CsvSource in) throws RejectedRow {
        int field = file.header().label();
        String name = file.input().label();
        if (field >= 0 && !in.isAbsent(field)) {
            name = in.text(field);
        }
        Target known = last;
        if (known != null && known.label().name().equals(name)) {
            return known;
        }
        Target target = targets.get(name);
        if (target == null) {
            target = bind(name);
            targets.put(name, target);
        }
        last = target;
        return target;
    }

    private Target bind(String name) throws RejectedRow {
        EdgeLabel label = run.catalog().edgeLabels().byName().get(name);
        if (label == null) {
            throw new RejectedRow(
                    name.isEmpty() ? "the row has no label" : "there is no edge label " + name);
        }
        PropertyBinding binding =
                new PropertyBinding(
                        file.header(), label.columns(), label.rules(), name, run.catalog());
        return new Target(new EdgeRow(run, label), binding);
    }

    private long source(CsvSource in) throws RejectedRow {
        int field = file.header().source();
        int from = in.start(field);
        int to = in.end(field);
        if (lastSourceVertex != 0
                && Arrays.equals(lastSource, 0, lastSource.length, in.buffer(), from, to)) {
            return lastSourceVertex;
        }
        lastSourceVertex = 0;
        long found = end(in, field, "source");
        lastSource = Arrays.copyOfRange(in.buffer(), from, to);
        lastSourceVertex = found;
        return found;
    }

    private long end(CsvSource in, int field, String what) throws RejectedRow {
        if (in.isAbsent(field)) {
            throw new RejectedRow("the row has no " + what);
        }
        long vertex = run.resolve(in, field);
        if (vertex == 0) {
            throw new RejectedRow("there is no vertex %s, its %s".formatted(in.text(field), what));
        }
        return vertex;
    }

    private Object id(EdgeLabel label, CsvSource in, int field) throws RejectedRow {
        if (label.single()) {
            throw new RejectedRow(
                    "an edge of the single-time label %s is known by its ends; it has no other id"
                            .formatted(label.name()));
        }
        VertexRows.checkId(in, field);
        BytesMap known = ids;
        if (known == null) {
            known = run.edgeIds();
            ids = known;
        }
        Object id = in.isWhole(field) ? (Object) in.whole(field) : in.text(field);
        if (run.hasEdge(id) || !known.putNew(in.buffer(), in.start(field), in.end(field), 1)) {
            throw new RejectedRow("there is an edge with this id already");
        }
        return id;
    }
}
