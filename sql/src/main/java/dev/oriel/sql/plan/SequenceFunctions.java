package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.QualifiedName;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Sequence;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// NEXTVAL, CURRVAL, SETVAL and LASTVAL. They are never constant; the name of the sequence is resolved when they
/// run.
public final class SequenceFunctions {
    /// The last values given to a session, by sequence number, and whether it may take more.
    public static final class Given {
        private final Map<Long, Long> values = new HashMap<>(4);

        /// Number of the sequence that NEXTVAL drew from last.
        private @Nullable Long last;

        private boolean readOnly;

        /// Sets whether NEXTVAL and SETVAL, which write, are refused.
        public void readOnly(boolean on) {
            readOnly = on;
        }

        public boolean isReadOnly() {
            return readOnly;
        }

        private void give(long sequence, long value) {
            values.put(sequence, value);
            last = sequence;
        }
    }

    private SequenceFunctions() {}

    /// The call of `function` with its arguments.
    ///
    /// @param stored whether a definition calls it: then a name without a schema is not resolved by the search
    ///     path, but in PUBLIC, or as a temporary sequence
    public static Scalar call(
            Function function, List<Scalar> arguments, boolean stored, Place place) {
        FunctionCall.LongBody body =
                switch (function) {
                    case NEXTVAL -> (a, frame) -> next(a, frame, stored, place);
                    case CURRVAL -> (a, frame) -> current(a, frame, stored, place);
                    case SETVAL -> (a, frame) -> set(a, frame, stored, place);
                    default -> (a, frame) -> last(frame, place);
                };
        return new FunctionCall.OfLong(function, List.copyOf(arguments), Typing.BIGINT, body);
    }

    /// NEXTVAL of `sequence`, which belongs to an identity column.
    public static Scalar next(Sequence sequence) {
        return new FunctionCall.OfLong(
                Function.NEXTVAL,
                List.of(Scalar.Constant.of(Typing.TEXT, sequence.name())),
                Typing.BIGINT,
                (a, frame) -> given(sequence, frame));
    }

    private static long given(Sequence sequence, Frame frame) {
        long value = frame.execution().transaction().nextValue(sequence);
        frame.execution().given().give(sequence.id(), value);
        frame.isNull = false;
        return value;
    }

    private static @Nullable Sequence sequence(
            List<Scalar> arguments, Frame frame, boolean stored, Place place) {
        String name = arguments.getFirst().evalText(frame);
        if (name == null) {
            return null;
        }
        Catalog catalog = frame.execution().transaction().catalog();
        return named(stored ? inStored(catalog) : catalog, name, place);
    }

    private static Catalog inStored(Catalog catalog) {
        return catalog.seenBy(SearchPath.temporary(catalog.temporary()));
    }

    /// The sequence `name`.
    public static Sequence named(Catalog catalog, String name, Place place) {
        Sequence found = find(catalog, name);
        if (found == null) {
            List<String> names = catalog.sequences().stream().map(Sequence::name).toList();
            throw place.error(
                    Kind.UNKNOWN_TABLE,
                    "There is no sequence \"" + name + "\"" + Nearest.hint(name, names));
        }
        return found;
    }

    private static @Nullable Sequence find(Catalog catalog, String text) {
        Sequence found = catalog.sequence(text);
        QualifiedName name = found == null ? QualifiedName.of(text) : null;
        return name == null ? found : catalog.sequence(name.path());
    }

    /// Whether `text` in a definition names a sequence.
    public static boolean exists(Catalog catalog, String text) {
        return find(inStored(catalog), text) != null;
    }

    /// Whether `text` in a definition names `sequence`.
    public static boolean means(String text, Sequence sequence) {
        boolean bare = sequence.schema().isEmpty() || sequence.temporary();
        if (bare && text.equalsIgnoreCase(sequence.name())) {
            return true;
        }
        QualifiedName name = QualifiedName.of(text);
        return name != null
                && name.name().equalsIgnoreCase(sequence.name())
                && (name.schema().isEmpty()
                        ? bare
                        : name.schema().equalsIgnoreCase(sequence.schema())
                                || (sequence.schema().isEmpty()
                                        && name.schema().equalsIgnoreCase(SearchPath.PUBLIC)));
    }

    /// The name of `sequence` for a definition.
    public static String written(Sequence sequence) {
        return sequence.schema().isEmpty() || sequence.temporary()
                ? sequence.name()
                : written(sequence.schema(), sequence.name());
    }

    private static String written(String schema, String name) {
        return Quoting.name(schema) + "." + Quoting.name(name);
    }

    /// `text`, resolved in the session's `catalog`, as a name for a definition.
    public static String spelled(Catalog catalog, String text) {
        Sequence found = find(catalog, text);
        return found == null || means(text, found) ? text : written(found);
    }

    /// `text`, with the schema `from` of the sequence replaced by `to`.
    public static String moved(String text, String from, String to) {
        QualifiedName name = QualifiedName.of(text);
        return name != null && name.schema().equalsIgnoreCase(from)
                ? written(to, name.name())
                : text;
    }

    private static long next(List<Scalar> arguments, Frame frame, boolean stored, Place place) {
        Sequence sequence = sequence(arguments, frame, stored, place);
        if (sequence == null) {
            frame.isNull = true;
            return 0;
        }
        checkMayWrite(sequence, frame, place);
        return given(sequence, frame);
    }

    private static void checkMayWrite(Sequence sequence, Frame frame, Place place) {
        if (frame.execution().given().readOnly && !Catalog.isTemporary(sequence.schema())) {
            throw place.error(
                    Kind.READ_ONLY,
                    "The session is read-only, and NEXTVAL and SETVAL write; open the database for"
                            + " writing, or call Connection.setReadOnly(false)");
        }
    }

    private static long current(List<Scalar> arguments, Frame frame, boolean stored, Place place) {
        Sequence sequence = sequence(arguments, frame, stored, place);
        if (sequence == null) {
            frame.isNull = true;
            return 0;
        }
        Long value = frame.execution().given().values.get(sequence.id());
        if (value == null) {
            throw place.error(
                    Kind.OBJECT_STATE,
                    "CURRVAL of \""
                            + sequence.name()
                            + "\" is not defined yet in this session: NEXTVAL comes first");
        }
        frame.isNull = false;
        return value;
    }

    private static long last(Frame frame, Place place) {
        Given given = frame.execution().given();
        Long value = given.last == null ? null : given.values.get(given.last);
        if (value == null) {
            throw place.error(
                    Kind.OBJECT_STATE,
                    "LASTVAL is not defined yet in this session: NEXTVAL comes first");
        }
        frame.isNull = false;
        return value;
    }

    private static long set(List<Scalar> arguments, Frame frame, boolean stored, Place place) {
        Sequence sequence = sequence(arguments, frame, stored, place);
        long value = arguments.get(1).evalLong(frame);
        if (sequence == null || frame.isNull) {
            frame.isNull = true;
            return 0;
        }
        checkMayWrite(sequence, frame, place);
        boolean called = arguments.size() < 3 || arguments.get(2).evalTruth(frame) == 1;
        frame.execution().transaction().setValue(sequence, value, called);
        if (called) {
            frame.execution().given().values.put(sequence.id(), value);
        }
        frame.isNull = false;
        return value;
    }
}
