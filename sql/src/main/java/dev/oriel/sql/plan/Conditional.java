package dev.oriel.sql.plan;

import dev.oriel.sql.value.Order;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Expressions that evaluate only some of their operands. No operand is evaluated twice, so nesting
/// them does not multiply the work.
public sealed interface Conditional extends Scalar {
    /// CASE in both forms: chooses a result, and has its value.
    sealed interface Choice extends Conditional {
        /// The result to evaluate; null if the value is NULL.
        @Nullable Scalar choose(Frame frame);

        @Override
        default boolean nullable() {
            return true;
        }

        @Override
        default long evalLong(Frame frame) {
            Scalar chosen = choose(frame);
            if (chosen == null) {
                frame.isNull = true;
                return 0;
            }
            return chosen.evalLong(frame);
        }

        @Override
        default double evalDouble(Frame frame) {
            Scalar chosen = choose(frame);
            if (chosen == null) {
                frame.isNull = true;
                return 0;
            }
            return chosen.evalDouble(frame);
        }

        @Override
        default @Nullable BigDecimal evalDecimal(Frame frame) {
            Scalar chosen = choose(frame);
            return chosen == null ? null : chosen.evalDecimal(frame);
        }

        @Override
        default @Nullable String evalText(Frame frame) {
            Scalar chosen = choose(frame);
            return chosen == null ? null : chosen.evalText(frame);
        }

        @Override
        default byte @Nullable [] evalBytes(Frame frame) {
            Scalar chosen = choose(frame);
            return chosen == null ? null : chosen.evalBytes(frame);
        }
    }

    /// `CASE WHEN condition THEN result ...`.
    record Case(
            List<Scalar> conditions, List<Scalar> results, @Nullable Scalar otherwise, Type type)
            implements Choice {
        @Override
        public @Nullable Scalar choose(Frame frame) {
            for (int i = 0; i < conditions.size(); i++) {
                if (conditions.get(i).evalTruth(frame) == 1) {
                    return results.get(i);
                }
            }
            return otherwise;
        }
    }

    /// `CASE operand WHEN value THEN result ...`.
    record Switch(
            Scalar operand,
            List<Scalar> values,
            List<Scalar> results,
            @Nullable Scalar otherwise,
            Type type)
            implements Choice {
        @Override
        public @Nullable Scalar choose(Frame frame) {
            int found = Search.indexOf(operand, values, frame);
            return found < 0 ? otherwise : results.get(found);
        }
    }

    /// The first of `arguments` that is not NULL.
    record Coalesce(List<Scalar> arguments, Type type) implements Conditional {
        @Override
        public boolean nullable() {
            for (Scalar argument : arguments) {
                if (!argument.nullable()) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public long evalLong(Frame frame) {
            frame.isNull = true;
            for (int i = 0; i < arguments.size(); i++) {
                long value = arguments.get(i).evalLong(frame);
                if (!frame.isNull) {
                    return value;
                }
            }
            return 0;
        }

        @Override
        public double evalDouble(Frame frame) {
            frame.isNull = true;
            for (int i = 0; i < arguments.size(); i++) {
                double value = arguments.get(i).evalDouble(frame);
                if (!frame.isNull) {
                    return value;
                }
            }
            return 0;
        }

        @Override
        public @Nullable BigDecimal evalDecimal(Frame frame) {
            BigDecimal value = null;
            for (int i = 0; value == null && i < arguments.size(); i++) {
                value = arguments.get(i).evalDecimal(frame);
            }
            return value;
        }

        @Override
        public @Nullable String evalText(Frame frame) {
            String value = null;
            for (int i = 0; value == null && i < arguments.size(); i++) {
                value = arguments.get(i).evalText(frame);
            }
            return value;
        }

        @Override
        public byte @Nullable [] evalBytes(Frame frame) {
            byte[] value = null;
            for (int i = 0; value == null && i < arguments.size(); i++) {
                value = arguments.get(i).evalBytes(frame);
            }
            return value;
        }
    }

    /// `left`, but NULL if it equals `right`.
    record NullIf(Scalar left, Scalar right) implements Conditional {
        @Override
        public Type type() {
            return left.type();
        }

        @Override
        public boolean nullable() {
            return true;
        }

        @Override
        public long evalLong(Frame frame) {
            long a = left.evalLong(frame);
            if (frame.isNull) {
                return 0;
            }
            long b = right.evalLong(frame);
            frame.isNull = !frame.isNull && a == b;
            return a;
        }

        @Override
        public double evalDouble(Frame frame) {
            double a = left.evalDouble(frame);
            if (frame.isNull) {
                return 0;
            }
            double b = right.evalDouble(frame);
            frame.isNull = !frame.isNull && Order.compare(a, b) == 0;
            return a;
        }

        @Override
        public @Nullable BigDecimal evalDecimal(Frame frame) {
            BigDecimal a = left.evalDecimal(frame);
            BigDecimal b = a == null ? null : right.evalDecimal(frame);
            return a != null && b != null && a.compareTo(b) == 0 ? null : a;
        }

        @Override
        public @Nullable String evalText(Frame frame) {
            String a = left.evalText(frame);
            String b = a == null ? null : right.evalText(frame);
            return a == null || (b != null && Order.compare(left.type().shape(), a, b) == 0)
                    ? null
                    : a;
        }

        @Override
        public byte @Nullable [] evalBytes(Frame frame) {
            byte[] a = left.evalBytes(frame);
            byte[] b = a == null ? null : right.evalBytes(frame);
            return a != null && b != null && Order.compare(a, b) == 0 ? null : a;
        }
    }

    /// The greatest or the least of the non-NULL `arguments`.
    record Extreme(List<Scalar> arguments, boolean greatest, Type type) implements Conditional {
        @Override
        public boolean nullable() {
            return true;
        }

        /// Whether a value is better than the best one so far, by their comparison `order`.
        private boolean isBetter(int order) {
            return greatest ? order > 0 : order < 0;
        }

        @Override
        public long evalLong(Frame frame) {
            boolean found = false;
            long best = 0;
            for (int i = 0; i < arguments.size(); i++) {
                long value = arguments.get(i).evalLong(frame);
                if (!frame.isNull && (!found || isBetter(Long.compare(value, best)))) {
                    best = value;
                    found = true;
                }
            }
            frame.isNull = !found;
            return best;
        }

        @Override
        public double evalDouble(Frame frame) {
            boolean found = false;
            double best = 0;
            for (int i = 0; i < arguments.size(); i++) {
                double value = arguments.get(i).evalDouble(frame);
                if (!frame.isNull && (!found || isBetter(Order.compare(value, best)))) {
                    best = value;
                    found = true;
                }
            }
            frame.isNull = !found;
            return best;
        }

        @Override
        public @Nullable BigDecimal evalDecimal(Frame frame) {
            BigDecimal best = null;
            for (int i = 0; i < arguments.size(); i++) {
                BigDecimal value = arguments.get(i).evalDecimal(frame);
                if (value != null && (best == null || isBetter(value.compareTo(best)))) {
                    best = value;
                }
            }
            return best;
        }

        @Override
        public @Nullable String evalText(Frame frame) {
            String best = null;
            for (int i = 0; i < arguments.size(); i++) {
                String value = arguments.get(i).evalText(frame);
                if (value != null
                        && (best == null || isBetter(Order.compare(type.shape(), value, best)))) {
                    best = value;
                }
            }
            return best;
        }

        @Override
        public byte @Nullable [] evalBytes(Frame frame) {
            byte[] best = null;
            for (int i = 0; i < arguments.size(); i++) {
                byte[] value = arguments.get(i).evalBytes(frame);
                if (value != null && (best == null || isBetter(Order.compare(value, best)))) {
                    best = value;
                }
            }
            return best;
        }
    }
}
