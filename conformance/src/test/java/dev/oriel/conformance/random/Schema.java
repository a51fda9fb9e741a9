package dev.oriel.conformance.random;

import dev.oriel.testkit.Gen;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Tables with rows, and keys of every kind over them.
///
/// @param tables name to columns
/// @param keyed the tables whose column `id` tells the rows apart
/// @param setup the statements that make it, definitions first
record Schema(Map<String, List<Piece>> tables, List<String> keyed, List<Piece> setup) {
    /// Stands before the name of a table's copy that has no keys.
    static final String PLAIN = "plain_";

    private static final String NAMES = "abcde";

    /// A schema of three or four tables.
    ///
    /// @param odd whether there are values that databases differ about
    static Schema random(Gen gen, boolean odd) {
        Map<String, List<Piece>> tables = new LinkedHashMap<>();
        List<String> keyed = new ArrayList<>();
        List<Piece> setup = new ArrayList<>();
        Literals literals = new Literals(gen, odd);
        int count = 3 + gen.below(2);
        for (int i = 0; i < count; i++) {
            String table = "t" + i;
            boolean key = gen.chance(75);
            List<Piece> columns = new ArrayList<>();
            columns.add(Piece.leaf(Sort.INTEGER, "id"));
            int others = 2 + gen.below(4);
            for (int column = 0; column < others; column++) {
                Sort sort =
                        gen.chance(35)
                                ? gen.pick(List.of(Sort.INTEGER, Sort.TEXT))
                                : gen.pick(Sort.VALUES);
                columns.add(Piece.leaf(sort, NAMES.substring(column, column + 1)));
            }
            tables.put(table, List.copyOf(columns));
            if (key) {
                keyed.add(table);
            }
            define(gen, table, columns, key, setup);
            fill(gen, table, columns, key, literals, setup);
        }
        return new Schema(Map.copyOf(tables), List.copyOf(keyed), List.copyOf(setup));
    }

    private static void define(
            Gen gen, String table, List<Piece> columns, boolean key, List<Piece> setup) {
        StringBuilder definition = new StringBuilder();
        for (Piece column : columns) {
            definition.append(definition.isEmpty() ? "" : ", ");
            definition.append(column.form()).append(' ').append(column.sort().type);
        }
        boolean primary = key && gen.chance(80);
        String ends = primary ? ", PRIMARY KEY (id))" : ")";
        setup.add(Piece.fixed("CREATE TABLE " + table + " (" + definition + ends));
        setup.add(Piece.fixed("CREATE TABLE " + PLAIN + table + " (" + definition + ")"));
        if (key && !primary) {
            setup.add(Piece.fixed("CREATE UNIQUE INDEX " + table + "_id ON " + table + " (id)"));
        }
        int indexes = gen.below(4);
        for (int i = 0; i < indexes; i++) {
            List<String> over = new ArrayList<>();
            int width = 1 + gen.below(3);
            for (int j = 0; j < width; j++) {
                String name = gen.pick(columns).form();
                if (!over.contains(name)) {
                    over.add(name);
                }
            }
            setup.add(
                    Piece.of(
                            Sort.FIXED,
                            gen.chance(25) ? "CREATE ARRAY INDEX $1" : "CREATE INDEX $1",
                            Piece.fixed(
                                    "%s_%d ON %s (%s)"
                                            .formatted(table, i, table, String.join(", ", over)))));
        }
    }

    private static void fill(
            Gen gen,
            String table,
            List<Piece> columns,
            boolean key,
            Literals literals,
            List<Piece> setup) {
        int rows =
                switch (gen.below(10)) {
                    case 0 -> 0;
                    case 1 -> 1;
                    case 2 -> 20 + gen.below(40);
                    default -> 2 + gen.below(9);
                };
        int nulls = gen.pick(List.of(0, 5, 15, 40));
        for (int row = 0; row < rows; row++) {
            List<Piece> values = new ArrayList<>();
            for (Piece column : columns) {
                if (column.form().equals("id") && key) {
                    values.add(Piece.leaf(Sort.INTEGER, Integer.toString(row)));
                } else if (column.form().equals("id")) {
                    values.add(Piece.leaf(Sort.INTEGER, Integer.toString(gen.below(4))));
                } else {
                    values.add(
                            gen.chance(nulls)
                                    ? Literals.nothing(column.sort())
                                    : literals.value(column.sort()));
                }
            }
            Piece list = new Piece(Sort.FIXED, holes(values.size()), List.copyOf(values));
            for (String name : List.of(table, PLAIN + table)) {
                setup.add(Piece.of(Sort.FIXED, "INSERT INTO " + name + " VALUES ($1)", list));
            }
        }
    }

    private static String holes(int count) {
        StringBuilder holes = new StringBuilder("$1");
        for (int i = 2; i <= count; i++) {
            holes.append(", $").append(i);
        }
        return holes.toString();
    }

    /// The statements that peers need, which have no use for copies.
    List<Piece> withoutCopies() {
        return setup.stream().filter(piece -> !piece.toString().contains(" " + PLAIN)).toList();
    }
}
