package dev.oriel.sql.plan;

import dev.oriel.sql.plan.AggregateCall.SortTerm;
import dev.oriel.sql.syntax.Expression.EdgeKind;
import dev.oriel.sql.syntax.Expression.Exclusion;
import dev.oriel.sql.syntax.Expression.FrameUnit;
import dev.oriel.sql.syntax.WindowFunction;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Intervals;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A function over a window.
///
/// @param function null for an aggregate
/// @param aggregate null for a window function
/// @param arguments of the function
public record WindowCall(
        @Nullable WindowFunction function,
        @Nullable AggregateCall aggregate,
        List<Scalar> arguments,
        boolean ignoresNulls,
        Window window,
        Type type,
        SqlText.Place place) {
    /// Position of the first function's column while a query is bound.
    public static final int FIRST = 1 << 20;

    /// Partitioning, order and frame of a window.
    public record Window(List<Scalar> partition, List<SortTerm> order, Frame frame) {
        /// Whether `other` needs the same order of rows.
        public boolean sortsLike(Window other) {
            return partition.equals(other.partition) && order.equals(other.order);
        }
    }

    /// The frame of a row.
    ///
    /// @param exclusion rows excluded from the frame
    public record Frame(FrameUnit unit, Edge start, Edge end, Exclusion exclusion) {}

    /// One end of a frame.
    ///
    /// @param offset of PRECEDING and FOLLOWING, if it is a number
    /// @param span the offset if it is an interval
    public record Edge(EdgeKind kind, @Nullable Scalar offset, Intervals.@Nullable Span span) {}

    /// The expressions that it evaluates on each row.
    public List<Scalar> scalars() {
        List<Scalar> scalars = new ArrayList<>(arguments);
        if (aggregate != null) {
            scalars.addAll(aggregate.scalars());
        }
        scalars.addAll(window.partition());
        window.order().forEach(term -> scalars.add(term.scalar()));
        for (Edge edge : List.of(window.frame().start(), window.frame().end())) {
            if (edge.offset() != null) {
                scalars.add(edge.offset());
            }
        }
        return scalars;
    }

    /// A copy with each column reference replaced by the result of `leaf`.
    public WindowCall replaced(UnaryOperator<Scalar> leaf) {
        return new WindowCall(
                function,
                aggregate == null ? null : aggregate.replaced(leaf),
                Replacement.of(arguments, leaf),
                ignoresNulls,
                new Window(
                        Replacement.of(window.partition(), leaf),
                        AggregateCall.replaced(window.order(), leaf),
                        window.frame()),
                type,
                place);
    }

    /// The call as SQL, for comparison if `identity` is set, else for users.
    public String text(boolean identity) {
        StringBuilder text = new StringBuilder();
        if (aggregate != null) {
            text.append(aggregate.text(identity));
        } else {
            List<String> written = new ArrayList<>();
            arguments.forEach(argument -> written.add(written(argument, identity)));
            text.append(function).append('(').append(String.join(", ", written)).append(')');
        }
        text.append(ignoresNulls ? " IGNORE NULLS" : "").append(" OVER (");
        List<String> parts = new ArrayList<>();
        if (!window.partition().isEmpty()) {
            List<String> keys = new ArrayList<>();
            window.partition().forEach(key -> keys.add(written(key, identity)));
            parts.add("PARTITION BY " + String.join(", ", keys));
        }
        if (!window.order().isEmpty()) {
            parts.add("ORDER BY " + AggregateCall.written(window.order(), identity));
        }
        String frame = frame(identity);
        if (!frame.isEmpty()) {
            parts.add(frame);
        }
        text.append(String.join(" ", parts)).append(')');
        return identity ? text.append(':').append(type).toString() : text.toString();
    }

    private String frame(boolean identity) {
        Frame frame = window.frame();
        boolean usual =
                frame.unit() == FrameUnit.RANGE
                        && frame.start().kind() == EdgeKind.UNBOUNDED_PRECEDING
                        && frame.end().kind() == EdgeKind.CURRENT_ROW
                        && frame.exclusion() == Exclusion.NO_OTHERS;
        if (usual) {
            return "";
        }
        return frame.unit()
                + " BETWEEN "
                + edge(frame.start(), identity)
                + " AND "
                + edge(frame.end(), identity)
                + (frame.exclusion() == Exclusion.NO_OTHERS
                        ? ""
                        : " EXCLUDE " + words(frame.exclusion()));
    }

    private static String edge(Edge edge, boolean identity) {
        String offset =
                edge.offset() != null
                        ? written(edge.offset(), identity) + " "
                        : edge.span() != null ? edge.span() + " " : "";
        return offset + words(edge.kind());
    }

    private static String words(Enum<?> constant) {
        return constant.name().replace('_', ' ');
    }

    private static String written(Scalar scalar, boolean identity) {
        return identity ? ScalarText.identity(scalar) : ScalarText.of(scalar);
    }
}
