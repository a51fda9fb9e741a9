package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Function;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A function of one row, by the shape of its result. [FunctionBinder] has checked the number of arguments,
/// converted them to the parameter types, and chosen the body.
public sealed interface FunctionCall extends Scalar {
    Function function();

    List<Scalar> arguments();

    /// Whether an argument may be NULL, or the function itself may return NULL.
    @Override
    default boolean nullable() {
        for (Scalar argument : arguments()) {
            if (argument.nullable()) {
                return true;
            }
        }
        return function().mayBeNull();
    }

    /// Computes a LONG, and sets [Frame#isNull].
    @FunctionalInterface
    interface LongBody {
        long evaluate(List<Scalar> arguments, Frame frame);
    }

    /// Computes a DOUBLE, and sets [Frame#isNull].
    @FunctionalInterface
    interface DoubleBody {
        double evaluate(List<Scalar> arguments, Frame frame);
    }

    /// Computes a DECIMAL.
    @FunctionalInterface
    interface DecimalBody {
        @Nullable BigDecimal evaluate(List<Scalar> arguments, Frame frame);
    }

    /// Computes a text.
    @FunctionalInterface
    interface TextBody {
        @Nullable String evaluate(List<Scalar> arguments, Frame frame);
    }

    /// Computes bytes.
    @FunctionalInterface
    interface BytesBody {
        byte @Nullable [] evaluate(List<Scalar> arguments, Frame frame);
    }

    record OfLong(Function function, List<Scalar> arguments, Type type, LongBody body)
            implements FunctionCall {
        @Override
        public long evalLong(Frame frame) {
            return body.evaluate(arguments, frame);
        }
    }

    record OfDouble(Function function, List<Scalar> arguments, Type type, DoubleBody body)
            implements FunctionCall {
        @Override
        public double evalDouble(Frame frame) {
            return body.evaluate(arguments, frame);
        }
    }

    record OfDecimal(Function function, List<Scalar> arguments, Type type, DecimalBody body)
            implements FunctionCall {
        @Override
        public @Nullable BigDecimal evalDecimal(Frame frame) {
            return body.evaluate(arguments, frame);
        }
    }

    record OfBytes(Function function, List<Scalar> arguments, Type type, BytesBody body)
            implements FunctionCall {
        @Override
        public byte @Nullable [] evalBytes(Frame frame) {
            return body.evaluate(arguments, frame);
        }
    }

    record OfText(Function function, List<Scalar> arguments, Type type, TextBody body)
            implements FunctionCall {
        @Override
        public boolean nullable() {
            return function != Function.CONCAT && FunctionCall.super.nullable();
        }

        @Override
        public @Nullable String evalText(Frame frame) {
            return body.evaluate(arguments, frame);
        }
    }
}
