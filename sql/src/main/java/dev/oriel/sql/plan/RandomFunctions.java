package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/// RANDOM, GEN_RANDOM_UUID and CLOCK_TIMESTAMP: volatile functions, which are never constant.
public final class RandomFunctions {
    private static final int UUID_BYTES = 16;

    private RandomFunctions() {}

    /// The call of `function`.
    public static Scalar call(Function function) {
        if (function == Function.CLOCK_TIMESTAMP) {
            return new FunctionCall.OfLong(
                    function,
                    List.of(),
                    Type.of(Type.Name.TIMESTAMP_TZ),
                    (arguments, frame) -> {
                        frame.isNull = false;
                        return frame.clockMicros();
                    });
        }
        return function == Function.RANDOM
                ? new FunctionCall.OfDouble(
                        function,
                        List.of(),
                        Typing.DOUBLE,
                        (arguments, frame) -> {
                            frame.isNull = false;
                            return ThreadLocalRandom.current().nextDouble();
                        })
                : new FunctionCall.OfBytes(
                        function,
                        List.of(),
                        Type.of(Type.Name.UUID),
                        (arguments, frame) -> {
                            frame.isNull = false;
                            return bytes(UUID.randomUUID());
                        });
    }

    private static byte[] bytes(UUID uuid) {
        return ByteBuffer.allocate(UUID_BYTES)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }
}
