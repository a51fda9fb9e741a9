package dev.oriel.compare.pairs;

import java.util.List;
import java.util.function.LongUnaryOperator;

/// Prices the items of an order by a list of rules. Changed: the rule for taxes takes longer.
public final class Pricing {
    private static final int ROUNDS = 300;
    private static final List<LongUnaryOperator> RULES =
            List.of(Pricing::discount, Pricing::tax, Pricing::shipping, Pricing::rounding);
    private static int taxRounds;

    private Pricing() {}

    public static void main(String[] words) {
        taxRounds = ROUNDS + ROUNDS * RULES.size() * Work.percent(words) / 100;
        Work.run(words, Pricing::order);
    }

    static long order(long seed) {
        long sum = 0;
        for (int item = 0; item < 40; item++) {
            sum += price(seed + item);
        }
        return sum;
    }

    private static long price(long item) {
        long price = item;
        for (LongUnaryOperator rule : RULES) {
            price = rule.applyAsLong(price);
        }
        return price;
    }

    private static long discount(long price) {
        long left = price;
        for (int i = 0; i < ROUNDS; i++) {
            left = left * 97 + (left >>> 9) + i;
        }
        return left;
    }

    private static long tax(long price) {
        long sum = price;
        for (int i = 0; i < taxRounds; i++) {
            sum = sum * 119 + (sum >>> 7) + i;
        }
        return sum;
    }

    private static long shipping(long price) {
        long sum = price;
        for (int i = 0; i < ROUNDS; i++) {
            sum = sum * 107 + (sum >>> 11) + i;
        }
        return sum;
    }

    private static long rounding(long price) {
        long sum = price;
        for (int i = 0; i < ROUNDS; i++) {
            sum = sum * 113 + (sum >>> 5) + i;
        }
        return sum;
    }
}
