package dev.oriel.compare.pairs;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Reports on sales by streams. Changed: the revenue is reduced as boxed numbers.
public final class Revenue {
    private static final List<Sale> SALES =
            IntStream.range(0, 2_000)
                    .mapToObj(i -> new Sale("shop " + i % 7, i * 37 % 1_000, i % 5))
                    .toList();
    private static boolean changed;

    private Revenue() {}

    private record Sale(String shop, long cents, int count) {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, Revenue::report);
    }

    static long report(long seed) {
        return revenue(SALES) + best(SALES) + shops(SALES) + seed % 2;
    }

    private static long revenue(List<Sale> sales) {
        Stream<Sale> sold = sales.stream().filter(sale -> sale.count() > 0);
        return changed
                ? sold.map(sale -> 1_000L + sale.cents() * sale.count()).reduce(0L, Long::sum)
                : sold.mapToLong(sale -> 1_000L + sale.cents() * sale.count()).sum();
    }

    private static long best(List<Sale> sales) {
        return sales.stream().mapToLong(sale -> sale.cents() % 97 * sale.count()).max().orElse(0);
    }

    private static long shops(List<Sale> sales) {
        return sales.stream().filter(sale -> sale.shop().endsWith("3")).count();
    }
}
