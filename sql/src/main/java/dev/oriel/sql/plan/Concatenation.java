package dev.oriel.sql.plan;

import dev.oriel.table.definition.Type;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `a || b || c`, of texts or of bytes; NULL if one of them is.
public record Concatenation(List<Scalar> parts, Type type) implements Scalar {
    /// Limits copying, which is quadratic in long chains.
    private static final int PARTS_MAX = 100;

    /// The parts of `scalar` if it is itself a concatenation of `type`, else it alone. Bytes become text as a whole:
    /// converting the parts would give another result.
    public static List<Scalar> parts(Scalar scalar, Type type) {
        return scalar instanceof Concatenation inner
                        && inner.type().equals(type)
                        && inner.parts().size() < PARTS_MAX
                ? inner.parts()
                : List.of(scalar);
    }

    @Override
    public boolean nullable() {
        for (Scalar part : parts) {
            if (part.nullable()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public @Nullable String evalText(Frame frame) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            String text = parts.get(i).evalText(frame);
            if (text == null) {
                return null;
            }
            out.append(text);
        }
        return out.toString();
    }

    @Override
    public byte @Nullable [] evalBytes(Frame frame) {
        byte[] out = {};
        for (int i = 0; i < parts.size(); i++) {
            byte[] bytes = parts.get(i).evalBytes(frame);
            if (bytes == null) {
                return null;
            }
            int end = out.length;
            out = Arrays.copyOf(out, end + bytes.length);
            System.arraycopy(bytes, 0, out, end, bytes.length);
        }
        return out;
    }
}
