package dev.oriel.sql.plan;

import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A deep expression as a list of shallow ones, so that it does not overflow the stack: `a + b - c || ...` of
/// thousands of operators. Each link contains the value of the previous link as its [Prior]:
///
/// ```
/// ((((a + b) * c) - d) || e)   =   (a + b) * c   >   (Prior - d) || e
/// ```
/// The first operand of an operator is always evaluated, and before the others. So links are evaluated in the same
/// order as by recursion, with the same errors.
public record OperatorChain(List<Scalar> links) implements Scalar {
    /// Maximum height of a link in operators. Expressions that are less deep stay as they are.
    private static final int LINK_HEIGHT = 64;

    /// The value of the previous link.
    record Prior(Type type, boolean nullable) implements Scalar {
        @Override
        public long evalLong(Frame frame) {
            Value value = frame.prior();
            frame.isNull = value.isNull;
            return value.primitive;
        }

        @Override
        public double evalDouble(Frame frame) {
            return Double.longBitsToDouble(evalLong(frame));
        }

        @Override
        public @Nullable BigDecimal evalDecimal(Frame frame) {
            return (BigDecimal) frame.prior().reference;
        }

        @Override
        public @Nullable String evalText(Frame frame) {
            return (String) frame.prior().reference;
        }

        @Override
        public byte @Nullable [] evalBytes(Frame frame) {
            return (byte[]) frame.prior().reference;
        }
    }

    /// The value of a link, of any shape.
    static final class Value {
        private long primitive;
        private boolean isNull;
        private @Nullable Object reference;

        private void set(long bits, boolean none, @Nullable Object object) {
            primitive = bits;
            isNull = none;
            reference = object;
        }

        private void compute(Scalar link, Frame frame) {
            switch (link.type().shape()) {
                case LONG -> {
                    long value = link.evalLong(frame);
                    set(value, frame.isNull, null);
                }
                case DOUBLE -> {
                    double value = link.evalDouble(frame);
                    set(Double.doubleToRawLongBits(value), frame.isNull, null);
                }
                case DECIMAL -> set(0, false, link.evalDecimal(frame));
                case TEXT, FOLDED -> set(0, false, link.evalText(frame));
                case BYTES -> set(0, false, link.evalBytes(frame));
            }
        }
    }

    /// `scalar` with its deep parts as chains; needs the large stack of the binder.
    public static Scalar of(Scalar scalar) {
        Scalar root = flat(scalar);
        List<Scalar> spine = new ArrayList<>();
        for (Scalar node = root; node != null; node = first(node)) {
            spine.add(node);
        }
        if (spine.size() <= 2 * LINK_HEIGHT) {
            return new Segment(spine, 0, spine.size(), null).rebuilt();
        }
        List<Scalar> links = new ArrayList<>();
        int end = spine.size();
        int begin = (end - 1) / LINK_HEIGHT * LINK_HEIGHT;
        Scalar before = null;
        for (; begin > 0; begin -= LINK_HEIGHT) {
            Scalar link = new Segment(spine, begin, end, before).rebuilt();
            links.add(link);
            before = new Prior(link.type(), link.nullable());
            end = begin;
        }
        return new Segment(spine, 0, end, new OperatorChain(List.copyOf(links))).rebuilt();
    }

    /// Adjacent operators of a spine, each the first operand of the one before, above `below`.
    private static final class Segment {
        private final List<Scalar> spine;
        private final int end;
        private final @Nullable Scalar below;
        private int at;

        Segment(List<Scalar> spine, int begin, int end, @Nullable Scalar below) {
            this.spine = spine;
            this.at = begin;
            this.end = end;
            this.below = below;
        }

        Scalar rebuilt() {
            return Replacement.ofNodes(spine.get(at), this::instead);
        }

        /// Null for an operator of the segment, which is rebuilt with other operands.
        @SuppressWarnings("ReferenceEquality") // identity is meant
        private @Nullable Scalar instead(Scalar node) {
            if (at < end && node == spine.get(at)) {
                at++;
                return null;
            }
            return below != null && at == end && node == spine.get(end) ? below : of(node);
        }
    }

    /// The expression with nested alternatives flattened.
    private static Scalar flat(Scalar scalar) {
        return switch (scalar) {
            case Conditional.Case choice when choice.otherwise() instanceof Conditional.Case ->
                    flat(choice);
            case Condition.Logical logical -> {
                List<Scalar> terms = new ArrayList<>();
                Deque<Scalar> left = new ArrayDeque<>();
                left.push(logical);
                while (!left.isEmpty()) {
                    Scalar next = left.pop();
                    if (next instanceof Condition.Logical same && same.and() == logical.and()) {
                        same.terms().reversed().forEach(left::push);
                    } else {
                        terms.add(next);
                    }
                }
                yield new Condition.Logical(logical.and(), List.copyOf(terms));
            }
            case Concatenation text -> {
                List<Scalar> parts = new ArrayList<>();
                Deque<Scalar> left = new ArrayDeque<>();
                left.push(text);
                while (!left.isEmpty()) {
                    Scalar next = left.pop();
                    if (next instanceof Concatenation same && same.type().equals(text.type())) {
                        same.parts().reversed().forEach(left::push);
                    } else {
                        parts.add(next);
                    }
                }
                yield new Concatenation(List.copyOf(parts), text.type());
            }
            default -> scalar;
        };
    }

    private static Scalar flat(Conditional.Case choice) {
        List<Scalar> conditions = new ArrayList<>(choice.conditions());
        List<Scalar> results = new ArrayList<>(choice.results());
        Scalar otherwise = choice.otherwise();
        while (otherwise instanceof Conditional.Case inner && inner.type().equals(choice.type())) {
            conditions.addAll(inner.conditions());
            results.addAll(inner.results());
            otherwise = inner.otherwise();
        }
        return new Conditional.Case(
                List.copyOf(conditions), List.copyOf(results), otherwise, choice.type());
    }

    /// The operand that is always evaluated, and first; null if there is none.
    private static @Nullable Scalar first(Scalar scalar) {
        return switch (scalar) {
            case Arithmetic a -> operands(a).getFirst();
            case Condition c -> operands(c).getFirst();
            case Conditional c -> operands(c).getFirst();
            case Conversion c -> c.operand();
            case Concatenation c -> c.parts().getFirst();
            case FunctionCall c -> c.arguments().isEmpty() ? null : c.arguments().getFirst();
            case Scalar.Constant c -> null;
            case Scalar.ColumnRef c -> null;
            case Scalar.ParameterRef c -> null;
            case Scalar.Now c -> null;
            case Scalar.Argument c -> null;
            case Subquery c -> null;
            case OperatorChain c -> null;
            case Prior c -> null;
        };
    }

    private static List<Scalar> operands(Scalar scalar) {
        return Scalar.operands(scalar);
    }

    /// Height of `scalar` in operators when it is evaluated.
    public static int height(Scalar scalar) {
        int height = 0;
        for (Scalar operand : operands(scalar)) {
            height = Math.max(height, height(operand));
        }
        return height + 1;
    }

    private Scalar last() {
        return links.getLast();
    }

    @Override
    public Type type() {
        return last().type();
    }

    @Override
    public boolean nullable() {
        return last().nullable();
    }

    /// Computes all links but the last.
    private void begin(Value value, Frame frame) {
        for (int i = 0; i < links.size() - 1; i++) {
            value.compute(links.get(i), frame);
        }
    }

    @Override
    public long evalLong(Frame frame) {
        Value value = frame.prior(); // perhaps of a chain around this one
        long primitive = value.primitive;
        boolean isNull = value.isNull;
        Object reference = value.reference;
        begin(value, frame);
        long result = last().evalLong(frame);
        value.set(primitive, isNull, reference);
        return result;
    }

    @Override
    public int evalTruth(Frame frame) {
        long value = evalLong(frame);
        return frame.isNull ? UNKNOWN : (int) value;
    }

    @Override
    public double evalDouble(Frame frame) {
        Value value = frame.prior();
        long primitive = value.primitive;
        boolean isNull = value.isNull;
        Object reference = value.reference;
        begin(value, frame);
        double result = last().evalDouble(frame);
        value.set(primitive, isNull, reference);
        return result;
    }

    /// The value of a shape that is an object.
    private @Nullable Object evalObject(Frame frame) {
        Value value = frame.prior();
        long primitive = value.primitive;
        boolean isNull = value.isNull;
        Object reference = value.reference;
        begin(value, frame);
        value.compute(last(), frame);
        Object result = value.reference;
        value.set(primitive, isNull, reference);
        return result;
    }

    @Override
    public @Nullable BigDecimal evalDecimal(Frame frame) {
        return (BigDecimal) evalObject(frame);
    }

    @Override
    public @Nullable String evalText(Frame frame) {
        return (String) evalObject(frame);
    }

    @Override
    public byte @Nullable [] evalBytes(Frame frame) {
        return (byte[]) evalObject(frame);
    }
}
