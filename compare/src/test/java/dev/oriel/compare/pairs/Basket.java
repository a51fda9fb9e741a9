package dev.oriel.compare.pairs;

import java.util.ArrayList;
import java.util.List;

/// Adds up baskets. Changed: a basket hands out a copy of its list.
public final class Basket {
    private static boolean changed;
    private final List<String> items = new ArrayList<>();

    private Basket() {
        for (int i = 0; i < 60; i++) {
            items.add("item " + i);
        }
    }

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Basket basket = new Basket();
        Work.run(words, seed -> total(basket) + seed % 2);
    }

    static long total(Basket basket) {
        long sum = 0;
        for (int i = 0; i < basket.items().size(); i++) {
            sum += price(basket.items().get(i));
        }
        return sum;
    }

    List<String> items() {
        return changed ? new ArrayList<>(items) : items;
    }

    private static long price(String item) {
        long price = 3;
        for (int round = 0; round < 60; round++) {
            for (int i = 0; i < item.length(); i++) {
                price = 31 * price + item.charAt(i);
            }
        }
        return price;
    }
}
