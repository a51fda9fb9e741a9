package dev.oriel.compare.pairs;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// Prints invoices. Changed: the customer is looked up for each line instead of once.
public final class Invoices {
    private static final Map<Integer, String> CUSTOMERS = new HashMap<>();
    private static boolean changed;

    private Invoices() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        for (int i = 0; i < 100; i++) {
            CUSTOMERS.put(i, "customer " + i);
        }
        Work.run(words, seed -> print((int) (seed & 63)));
    }

    static long print(int number) {
        StringBuilder invoice = new StringBuilder();
        String customer = customer(number);
        for (int line = 0; line < 12; line++) {
            line(invoice, changed ? customer(number) : customer, line);
        }
        return invoice.length();
    }

    private static String customer(int number) {
        String name = CUSTOMERS.getOrDefault(number, "nobody");
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    private static void line(StringBuilder invoice, String customer, int line) {
        for (int i = 0; i < 10; i++) {
            invoice.append(line)
                    .append(": ")
                    .append(customer.charAt(0))
                    .append(i * 17)
                    .append('\n');
        }
    }
}
