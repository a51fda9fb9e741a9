package dev.oriel.sql.plan;

import dev.oriel.sql.value.Order;
import java.math.BigDecimal;
import java.util.List;

/// Finds the first of a list of expressions that equals another one: IN, and CASE with an operand.
final class Search {
    /// No element is equal.
    static final int NONE = -1;

    /// No element is equal, but an element or the operand is NULL.
    static final int UNDECIDED = -2;

    private Search() {}

    /// Index of the first expression in `list` that equals `operand`, or [#NONE], or [#UNDECIDED].
    static int indexOf(Scalar operand, List<Scalar> list, Frame frame) {
        return switch (operand.type().shape()) {
            case LONG -> longs(operand, list, frame);
            case DOUBLE -> doubles(operand, list, frame);
            case DECIMAL -> decimals(operand, list, frame);
            case TEXT -> texts(operand, list, frame);
            case FOLDED -> folded(operand, list, frame);
            case BYTES -> bytes(operand, list, frame);
        };
    }

    private static int longs(Scalar operand, List<Scalar> list, Frame frame) {
        long sought = operand.evalLong(frame);
        if (frame.isNull) {
            return UNDECIDED;
        }
        int missing = NONE;
        for (int i = 0; i < list.size(); i++) {
            long value = list.get(i).evalLong(frame);
            if (frame.isNull) {
                missing = UNDECIDED;
            } else if (value == sought) {
                return i;
            }
        }
        return missing;
    }

    private static int doubles(Scalar operand, List<Scalar> list, Frame frame) {
        double sought = operand.evalDouble(frame);
        if (frame.isNull) {
            return UNDECIDED;
        }
        int missing = NONE;
        for (int i = 0; i < list.size(); i++) {
            double value = list.get(i).evalDouble(frame);
            if (frame.isNull) {
                missing = UNDECIDED;
            } else if (Order.compare(value, sought) == 0) {
                return i;
            }
        }
        return missing;
    }

    private static int decimals(Scalar operand, List<Scalar> list, Frame frame) {
        BigDecimal sought = operand.evalDecimal(frame);
        if (sought == null) {
            return UNDECIDED;
        }
        int missing = NONE;
        for (int i = 0; i < list.size(); i++) {
            BigDecimal value = list.get(i).evalDecimal(frame);
            if (value == null) {
                missing = UNDECIDED;
            } else if (value.compareTo(sought) == 0) {
                return i;
            }
        }
        return missing;
    }

    private static int texts(Scalar operand, List<Scalar> list, Frame frame) {
        String sought = operand.evalSymbol(frame);
        if (sought == null) {
            return UNDECIDED;
        }
        int missing = NONE;
        for (int i = 0; i < list.size(); i++) {
            String value = list.get(i).evalText(frame);
            if (value == null) {
                missing = UNDECIDED;
            } else if (value.equals(sought)) {
                return i;
            }
        }
        return missing;
    }

    private static int folded(Scalar operand, List<Scalar> list, Frame frame) {
        String sought = operand.evalText(frame);
        if (sought == null) {
            return UNDECIDED;
        }
        int missing = NONE;
        for (int i = 0; i < list.size(); i++) {
            String value = list.get(i).evalText(frame);
            if (value == null) {
                missing = UNDECIDED;
            } else if (Order.compareFolded(value, sought) == 0) {
                return i;
            }
        }
        return missing;
    }

    private static int bytes(Scalar operand, List<Scalar> list, Frame frame) {
        byte[] sought = operand.evalBytes(frame);
        if (sought == null) {
            return UNDECIDED;
        }
        int missing = NONE;
        for (int i = 0; i < list.size(); i++) {
            byte[] value = list.get(i).evalBytes(frame);
            if (value == null) {
                missing = UNDECIDED;
            } else if (Order.compare(value, sought) == 0) {
                return i;
            }
        }
        return missing;
    }
}
