package dev.oriel.graph.load;

import dev.oriel.graph.catalog.LabelRules;
import dev.oriel.graph.catalog.LabelRules.IdStrategy;
import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.catalog.PropertyKeys;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.value.Bytes;
import dev.oriel.graph.value.DataType;
import dev.oriel.graph.value.ValueCodec;
import dev.oriel.table.value.Tuple;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Loads the vertices of one file.
final class VertexRows implements LoadRun.RowTarget {
    /// Maximum length of an id; longer ids do not fit into keys.
    static final int ID_BYTES_MAX = 900;

    private final LoadRun run;
    private final LoadFile file;
    private final Map<String, Target> targets = new HashMap<>();
    private @Nullable Target last;

    /// A label and its row.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Target(VertexLabel label, PropertyBinding binding, Tuple row, int[] keyFields) {}

    VertexRows(LoadRun run, LoadFile file) {
        this.run = run;
        this.file = file;
    }

    @Override
    public void load(CsvSource in) throws RejectedRow {
        Target target = target(in);
        VertexLabel label = target.label;
        Tuple row = target.row;
        target.binding.fill(in, row);
        Object id = id(target, in);
        int field = file.header().id();
        boolean named = field >= 0 && !in.isAbsent(field);
        byte[] made =
                label.rules().ids() == IdStrategy.PRIMARY_KEY && id != null
                        ? Bytes.utf8(id.toString())
                        : null;
        if ((named && run.vertices().get(in, field) != 0)
                || (made != null && run.vertices().get(made) != 0)
                || (id != null && run.isTaken(id))) {
            throw new RejectedRow("there is a vertex with this id already");
        }
        long number = id == null ? label.sequence().takeUnkept() : label.hidden().takeUnkept();
        long vertex = label.vertex(number, id != null);
        row.setLong(VertexLabel.ID, vertex);
        row.setBytes(VertexLabel.KEY, id == null ? null : ValueCodec.encode(id));
        run.insert(label, row, id == null ? null : ValueCodec.idKey(id), vertex);
        if (named) {
            run.vertices().putNew(in, field, vertex);
        }
        if (made != null) {
            run.vertices().putNew(made, vertex);
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
        VertexLabel label = run.catalog().vertexLabels().byName().get(name);
        if (label == null) {
            throw new RejectedRow(
                    name.isEmpty() ? "the row has no label" : "there is no vertex label " + name);
        }
        run.use(label);
        PropertyBinding binding =
                new PropertyBinding(
                        file.header(), label.columns(), label.rules(), name, run.catalog());
        int[] keyFields = new int[label.rules().keys().size()];
        List<CsvColumn> columns = file.header().columns();
        for (int i = 0; i < keyFields.length; i++) {
            keyFields[i] = -1;
            for (int at = 0; at < columns.size(); at++) {
                if (columns.get(at).name().equals(label.rules().keys().get(i))) {
                    keyFields[i] = at;
                }
            }
        }
        return new Target(label, binding, new Tuple(label.columns().count()), keyFields);
    }

    /// The id stored with the vertex; null if its number is its id.
    private @Nullable Object id(Target target, CsvSource in) throws RejectedRow {
        LabelRules rules = target.label.rules();
        if (rules.ids() == IdStrategy.PRIMARY_KEY) {
            return madeId(target, run.catalog().keys(), in);
        }
        int field = file.header().id();
        if (rules.ids() == IdStrategy.AUTOMATIC && (rules.declared() || field < 0)) {
            return null;
        }
        if (field < 0 || in.isAbsent(field)) {
            throw new RejectedRow("the row has no id");
        }
        checkId(in, field);
        boolean whole = in.isWhole(field);
        return switch (rules.ids()) {
            case CUSTOM_NUMBER -> {
                if (!whole) {
                    throw new RejectedRow("the id is not a whole number of up to 18 digits");
                }
                yield in.whole(field);
            }
            case CUSTOM_STRING -> in.text(field);
            case CUSTOM_UUID -> uuid(in.text(field));
            case AUTOMATIC, PRIMARY_KEY -> whole ? (Object) in.whole(field) : in.text(field);
        };
    }

    static void checkId(CsvSource in, int field) throws RejectedRow {
        if (in.end(field) - in.start(field) > ID_BYTES_MAX) {
            throw new RejectedRow("the id is longer than %d bytes".formatted(ID_BYTES_MAX));
        }
        for (int i = in.start(field); i < in.end(field); i++) {
            if (in.buffer()[i] == 0) {
                throw new RejectedRow("the id has a character of the number 0");
            }
        }
    }

    private static UUID uuid(String text) throws RejectedRow {
        return (UUID) CsvColumn.value("the id", DataType.UUID, text);
    }

    private static Object madeId(Target target, PropertyKeys known, CsvSource in)
            throws RejectedRow {
        List<String> keys = target.label.rules().keys();
        Object[] keyValues = new Object[2 * keys.size()];
        for (int i = 0; i < keys.size(); i++) {
            int field = target.keyFields[i];
            if (field < 0 || in.isAbsent(field)) {
                throw new RejectedRow("the row lacks the primary key " + keys.get(i));
            }
            keyValues[2 * i] = keys.get(i);
            // The value in the column's type, because 1 and 01 are the same number.
            int column = target.label.table().column(keys.get(i));
            keyValues[2 * i + 1] = valueOf(target, keys.get(i), column);
        }
        Object id = target.label.rules().id(target.label.name(), null, known, keyValues);
        if (id == null || id.toString().length() > ID_BYTES_MAX) {
            throw new RejectedRow(
                    "the primary key is longer than %d characters".formatted(ID_BYTES_MAX));
        }
        return id;
    }

    private static Object valueOf(Target target, String name, int column) throws RejectedRow {
        for (PropertyKey key : target.label.columns().keys()) {
            DataType type = key.type();
            if (key.name().equals(name) && type != null) {
                Object value = type.take(target.row, column);
                if (value != null) {
                    return value;
                }
            }
        }
        throw new RejectedRow("the row lacks the primary key " + name);
    }
}
