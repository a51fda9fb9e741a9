package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.Catalog;
import dev.oriel.table.Sequence;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// NEXTVAL, CURRVAL, SETVAL and LASTVAL. They are never constant, whatever they are given; the name of
/// the sequence is looked up when they run.
public final class SequenceFunctions {
    /// What a session was given last, by the number of the sequence, and whether it may be given more.
    public static final class Given {
        private final Map<Long, Long> values = new HashMap<>(4);
        private @Nullable Long last;
        private boolean readOnly;

        /// Whether NEXTVAL and SETVAL are refused, which write.
        public void readOnly(boolean on) {
            readOnly = on;
        }

        private void give(long sequence, long value) {
            values.put(sequence, value);
            last = value;
        }
    }

    private static final List<String> SCHEMAS = List.of("public.", "\"public\".");

    private SequenceFunctions() {}

    /// The call of `function` with what it is given.
    public static Scalar call(Function function, List<Scalar> arguments, Place place) {
        FunctionCall.LongBody body =
                switch (function) {
                    case NEXTVAL -> (a, frame) -> next(a, frame, place);
                    case CURRVAL -> (a, frame) -> current(a, frame, place);
                    case SETVAL -> (a, frame) -> set(a, frame, place);
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

    private static @Nullable Sequence sequence(List<Scalar> arguments, Frame frame, Place place) {
        String name = arguments.getFirst().evalText(frame);
        return name == null ? null : named(frame.execution().transaction().catalog(), name, place);
    }

    /// The sequence `name`.
    public static Sequence named(Catalog catalog, String name, Place place) {
        Sequence found = catalog.sequence(name);
        if (found == null) {
            found = catalog.sequence(unquoted(name));
        }
        if (found == null) {
            List<String> names = catalog.sequences().stream().map(Sequence::name).toList();
            throw place.error(
                    Kind.UNKNOWN_TABLE,
                    "There is no sequence \"" + name + "\"" + Nearest.hint(name, names));
        }
        return found;
    }

    /// The name in a text as PostgreSQL writes it, with a schema before it, or in double quotes.
    private static String unquoted(String text) {
        String name = text;
        for (String schema : SCHEMAS) {
            if (name.regionMatches(true, 0, schema, 0, schema.length())) {
                name = name.substring(schema.length());
                break;
            }
        }
        boolean quoted = name.length() > 2 && name.startsWith("\"") && name.endsWith("\"");
        return quoted ? name.substring(1, name.length() - 1).replace("\"\"", "\"") : name;
    }

    private static long next(List<Scalar> arguments, Frame frame, Place place) {
        Sequence sequence = sequence(arguments, frame, place);
        if (sequence == null) {
            frame.isNull = true;
            return 0;
        }
        checkMayWrite(frame, place);
        return given(sequence, frame);
    }

    private static void checkMayWrite(Frame frame, Place place) {
        if (frame.execution().given().readOnly) {
            throw place.error(
                    Kind.READ_ONLY,
                    "The session is read-only, and NEXTVAL and SETVAL write:"
                            + " Connection.setReadOnly(false) lets it write");
        }
    }

    private static long current(List<Scalar> arguments, Frame frame, Place place) {
        Sequence sequence = sequence(arguments, frame, place);
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
        Long value = frame.execution().given().last;
        if (value == null) {
            throw place.error(
                    Kind.OBJECT_STATE,
                    "LASTVAL is not defined yet in this session: NEXTVAL comes first");
        }
        frame.isNull = false;
        return value;
    }

    private static long set(List<Scalar> arguments, Frame frame, Place place) {
        Sequence sequence = sequence(arguments, frame, place);
        long value = arguments.get(1).evalLong(frame);
        if (sequence == null || frame.isNull) {
            frame.isNull = true;
            return 0;
        }
        checkMayWrite(frame, place);
        boolean called = arguments.size() < 3 || arguments.get(2).evalTruth(frame) == 1;
        frame.execution().transaction().setValue(sequence, value, called);
        if (called) {
            frame.execution().given().values.put(sequence.id(), value);
        }
        frame.isNull = false;
        return value;
    }
}
