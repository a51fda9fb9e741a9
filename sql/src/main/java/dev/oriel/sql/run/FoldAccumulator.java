package dev.oriel.sql.run;

import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.table.value.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Aggregates that fold each value into one of the same type.
sealed interface FoldAccumulator extends Accumulator {
    static Accumulator of(AggregateCall call, List<Scalar> arguments, QueryMemory.Share share) {
        return switch (call.kind()) {
            case STRING_AGG ->
                    new Strings(
                            arguments.get(0),
                            arguments.size() > 1 ? arguments.get(1) : null,
                            share);
            case ANY_VALUE -> new First(arguments.getFirst(), share);
            default -> new Bits(call.kind(), arguments.getFirst());
        };
    }

    /// STRING_AGG: the values that are not NULL, with the separator of each before it.
    final class Strings implements FoldAccumulator {
        private final Scalar value;
        private final @Nullable Scalar separator;
        private final QueryMemory.Share share;
        private @Nullable StringBuilder text;
        private long held;

        private Strings(Scalar value, @Nullable Scalar separator, QueryMemory.Share share) {
            this.value = value;
            this.separator = separator;
            this.share = share;
        }

        @Override
        public void add(Frame frame) {
            String next = value.evalText(frame);
            if (next == null) {
                return;
            }
            long more = next.length();
            if (text == null) {
                text = new StringBuilder(next);
            } else {
                String between = separator == null ? null : separator.evalText(frame);
                text.append(between == null ? "" : between).append(next);
                more += between == null ? 0 : between.length();
            }
            held += more;
            share.addToValue(more, held);
        }

        @Override
        public void close() {
            share.take(held);
            held = 0;
            text = null;
        }

        @Override
        public void result(Tuple out, int column) {
            out.setText(column, text == null ? null : text.toString());
        }
    }

    /// ANY_VALUE: the first value that is not NULL.
    final class First implements FoldAccumulator {
        private final Scalar value;
        private final Tuple first = new Tuple(1);
        private final @Nullable ValueBytes bytes;

        private First(Scalar value, QueryMemory.Share share) {
            this.value = value;
            this.bytes = ValueBytes.of(value.type().shape(), share);
        }

        @Override
        public void add(Frame frame) {
            if (first.isNull(0) && value.store(first, 0, frame) && bytes != null) {
                bytes.count(first);
            }
        }

        @Override
        public void result(Tuple out, int column) {
            out.copy(column, first, 0, value.type().shape());
        }

        @Override
        public void close() {
            if (bytes != null) {
                bytes.close();
            }
        }
    }

    /// BOOL_AND, BOOL_OR and the bitwise aggregates.
    final class Bits implements FoldAccumulator {
        private final AggregateFunction kind;
        private final Scalar value;
        private boolean any;
        private long folded;

        private Bits(AggregateFunction kind, Scalar value) {
            this.kind = kind;
            this.value = value;
        }

        @Override
        public void add(Frame frame) {
            long next = value.evalLong(frame);
            if (frame.isNull) {
                return;
            }
            if (!any) {
                any = true;
                folded = next;
                return;
            }
            folded =
                    switch (kind) {
                        case BOOL_AND, BIT_AND -> folded & next;
                        case BOOL_OR, BIT_OR -> folded | next;
                        case BIT_XOR -> folded ^ next;
                        default -> throw new IllegalStateException(kind + " folds no bits");
                    };
        }

        @Override
        public void result(Tuple out, int column) {
            if (any) {
                out.setLong(column, folded);
            } else {
                out.setNull(column);
            }
        }
    }
}
