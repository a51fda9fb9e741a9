package dev.oriel.cli.migration;

import dev.oriel.cli.migration.SourceSchema.Identity;
import dev.oriel.cli.migration.SourceSchema.Sequence;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the next numbers of a product's sequences and identity columns.
final class NumberReader {
    private static final BigDecimal LEAST = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal GREATEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private final Catalog catalog;
    private final Product product;

    NumberReader(Catalog catalog, Product product) {
        this.catalog = catalog;
        this.product = product;
    }

    /// Returns the identities by table and column.
    Map<String, Identity> identities() throws SQLException {
        Map<String, Identity> identities = new HashMap<>();
        for (List<String> row : catalog.ask(CatalogQueries.of(product).identities())) {
            BigDecimal increment = new BigDecimal(row.get(4));
            BigDecimal next =
                    switch (product) {
                        case POSTGRESQL -> catalog.nextOf(row.get(8), increment);
                        case HSQLDB ->
                                catalog.behind(
                                        row.get(0),
                                        row.get(1),
                                        new BigDecimal(row.get(8)),
                                        increment);
                        case H2, DERBY, SQLITE -> number(row.get(3));
                    };
            Sequence numbers = sequence(row.get(1), next, row.subList(4, 8));
            if (next != null && product != Product.HSQLDB && !numbers.cycles()) {
                numbers = past(row.get(0), row.get(1), numbers, row.subList(4, 8));
            }
            identities.put(
                    SchemaReader.place(row.get(0), row.get(1)),
                    new Identity("ALWAYS".equals(row.get(2)), numbers));
        }
        return identities;
    }

    /// Moves `numbers` past the existing numbers of the column, if the product would have repeated one.
    private Sequence past(String table, String column, Sequence numbers, List<String> options)
            throws SQLException {
        BigDecimal next = BigDecimal.valueOf(numbers.next());
        BigDecimal increment = BigDecimal.valueOf(numbers.increment());
        BigDecimal behind = catalog.behind(table, column, next, increment);
        BigDecimal steps = behind.subtract(next).divide(increment, 0, RoundingMode.FLOOR);
        Sequence past = sequence(column, next.add(increment.multiply(steps)), options);
        return past.exhausted() ? numbers : past;
    }

    List<Sequence> sequences() throws SQLException {
        List<Sequence> sequences = new ArrayList<>();
        for (List<String> row : catalog.ask(product.sequences)) {
            BigDecimal next =
                    product == Product.POSTGRESQL
                            ? catalog.nextOf(row.get(6), new BigDecimal(row.get(2)))
                            : number(row.get(1));
            sequences.add(sequence(row.get(0), next, row.subList(2, 6)));
        }
        return sequences;
    }

    private static Sequence sequence(String name, @Nullable BigDecimal next, List<String> options) {
        BigDecimal least = number(options.get(1));
        BigDecimal greatest = number(options.get(2));
        return Sequence.of(
                name,
                next,
                new BigDecimal(options.get(0)),
                least == null ? LEAST : least,
                greatest == null ? GREATEST : greatest,
                List.of("YES", "Y", "true").contains(options.get(3)));
    }

    private static @Nullable BigDecimal number(@Nullable String text) {
        return text == null ? null : new BigDecimal(text);
    }
}
