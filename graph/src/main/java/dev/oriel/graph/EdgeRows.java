package dev.oriel.graph;

import dev.oriel.store.Slice;
import dev.oriel.table.RowKey;
import dev.oriel.table.Table;
import dev.oriel.table.Tuple;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The edges of one file, on their way into tables.
final class EdgeRows implements LoadRun.RowTarget {
    private final LoadRun run;
    private final LoadFile file;
    private final Map<String, Target> targets = new HashMap<>();
    private final Tuple idRow = new Tuple(3);
    private @Nullable Target last;
    private @Nullable BytesMap ids;

    /// The id that the last source had, and the vertex: edges of one source often come together.
    private byte[] lastSource = new byte[0];

    private long lastSourceVertex;

    /// A label, its row, and the keys of a single-time label that were given.
    private record Target(
            EdgeLabel label,
            PropertyBinding binding,
            Tuple row,
            RowKey rowKey,
            Tuple key,
            @Nullable BytesMap given) {}

    EdgeRows(LoadRun run, LoadFile file) {
        this.run = run;
        this.file = file;
    }

    @Override
    public void load(CsvSource in) throws RejectedRow {
        Target target = target(in);
        EdgeLabel label = target.label;
        long source = source(in);
        long end = end(in, file.header().target(), "target");
        checkLink(label, source, end);
        Tuple row = target.row;
        target.binding.fill(in, row);
        try {
            label.columns()
                    .expireWith(row, run.expiry(in, file.header().source(), source), label.name());
            label.columns()
                    .expireWith(row, run.expiry(in, file.header().target(), end), label.name());
        } catch (IllegalArgumentException e) {
            throw new RejectedRow(String.valueOf(e.getMessage()));
        }
        int field = file.header().id();
        Object id = field < 0 || in.isAbsent(field) ? null : id(label, in, field);
        long number = 0;
        if (!label.single()) {
            number = EdgeLabel.number(label.sequence().takeUnkept(), id != null);
        }
        row.setBytes(EdgeLabel.KEY, id == null ? null : ValueCodec.encode(id));
        row.setLong(EdgeLabel.SOURCE, source);
        row.setLong(EdgeLabel.TARGET, end);
        row.setLong(EdgeLabel.NUMBER, number);
        if (target.given != null) {
            checkSingle(target, target.given);
        }
        run.transaction().insert(label.table(), row);
        if (id != null) {
            idRow.setBytes(0, ValueCodec.idKey(id));
            idRow.setLong(1, label.number());
            idRow.setBytes(2, keyOf(target).toBytes());
            run.transaction().insert(run.catalog().edgeIds(), idRow);
        }
    }

    private Target target(CsvSource in) throws RejectedRow {
        int field = file.header().label();
        String name = file.input().label();
        if (field >= 0 && !in.isAbsent(field)) {
            name = in.text(field);
        }
        Target known = last;
        if (known != null && known.label.name().equals(name)) {
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
        run.use(label);
        return new Target(
                label,
                new PropertyBinding(
                        file.header(), label.columns(), label.rules(), name, run.catalog()),
                new Tuple(label.columns().count()),
                new RowKey(label.table()),
                new Tuple(label.keyColumns()),
                label.single() ? new BytesMap(run.budget()) : null);
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

    private void checkLink(EdgeLabel label, long source, long target) throws RejectedRow {
        EdgeLabel.Link link = label.link();
        if (!isOf(link.source(), source) || !isOf(link.target(), target)) {
            throw new RejectedRow(
                    "the edge label %s leads from %s to %s"
                            .formatted(label.name(), link.source(), link.target()));
        }
    }

    private boolean isOf(String wanted, long vertex) {
        if (wanted.isEmpty()) {
            return true;
        }
        VertexLabel label = run.catalog().labelOf(vertex);
        return label != null && label.name().equals(wanted);
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

    private Slice keyOf(Target target) {
        Table table = target.label.table();
        for (int i = 0; i < table.primaryKey().size(); i++) {
            int column = table.primaryKey().get(i);
            target.key.copy(i, target.row, column, table.columns().get(column).type().shape());
        }
        return target.rowKey.of(target.key);
    }

    /// Of a single-time label there is one edge for each source, sort keys and target.
    private void checkSingle(Target target, BytesMap given) throws RejectedRow {
        Slice key = keyOf(target);
        byte[] bytes = key.toBytes();
        if (!given.putNew(bytes, 0, bytes.length, 1) || run.hasRow(target.label.table(), key)) {
            throw new RejectedRow(
                    "there is an edge of the single-time label %s between these vertices already"
                            .formatted(target.label.name()));
        }
    }
}
