package dev.oriel.compare.pairs;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/// Hands events to listeners, which are lambdas. Changed: the listener that keeps the statistics works more.
public final class Handlers {
    private static final Map<String, LongUnaryOperator> LISTENERS = new LinkedHashMap<>();
    private static int rounds = 3_000;

    private Handlers() {}

    public static void main(String[] words) {
        rounds = Work.isChanged(words) ? 8_000 : rounds;
        mail();
        statistics();
        index();
        Work.run(words, Handlers::publish);
    }

    static long publish(long event) {
        long sum = 0;
        for (LongUnaryOperator each : LISTENERS.values()) {
            sum += each.applyAsLong(event);
        }
        return sum;
    }

    private static void mail() {
        LISTENERS.put("mail", event -> Work.steps(event, 8_000));
    }

    private static void statistics() {
        LISTENERS.put(
                "statistics",
                event -> {
                    long sum = event;
                    for (int i = 0; i < rounds; i++) {
                        sum = sum * 31 + (sum >>> 11) + i;
                    }
                    return sum;
                });
    }

    private static void index() {
        LISTENERS.put("index", event -> Work.steps(event, 9_000));
    }
}
