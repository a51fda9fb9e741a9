package dev.oriel.sql.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.table.definition.Type;
import org.junit.jupiter.api.Test;

/// Values whose size has no bound are counted.
class ValueBytesTest {
    @Test
    void textsAndBytesAreCounted() {
        for (Type.Shape shape : Type.Shape.values()) {
            boolean counted =
                    switch (shape) {
                        case TEXT, FOLDED, BYTES -> true;
                        case LONG, DOUBLE, DECIMAL -> false;
                    };
            assertEquals(counted, ValueBytes.counts(shape), () -> String.valueOf(shape));
        }
    }
}
