package dev.oriel.bench.jdbm;

import dev.oriel.bench.Durability;
import java.util.List;
import java.util.Locale;

/// The parameters of a scenario of records; they form its name and the names of its cases.
///
/// @param order `in-order` or `at-random`
/// @param count number of records
/// @param valueBytes length of each value
record JdbmParameters(String order, int count, int valueBytes, Durability durability) {
    static final String IN_ORDER = "in-order";
    static final String AT_RANDOM = "at-random";

    static JdbmParameters parse(String scenario) {
        String[] parts = scenario.split("[/x]", -1);
        return new JdbmParameters(
                parts[0],
                Integer.parseInt(parts[1]),
                Integer.parseInt(parts[2]),
                Durability.valueOf(parts[3].toUpperCase(Locale.ROOT)));
    }

    boolean inOrder() {
        return order.equals(IN_ORDER);
    }

    String scenario() {
        return order + "/" + size() + "/" + durability.name().toLowerCase(Locale.ROOT);
    }

    /// Such as `300000x150`.
    String size() {
        return count + "x" + valueBytes;
    }

    /// @param what `insert`, `get` or `scan`
    String caseName(String what) {
        return "jdbm/" + what + "/" + scenario();
    }

    /// A subject with the class ASYNC has WRITTEN too, and is read there.
    List<String> cases() {
        return durability == Durability.ASYNC
                ? List.of(caseName("insert"))
                : List.of(caseName("insert"), caseName("scan"), caseName("get"));
    }

    JdbmData data(long seed) {
        return new JdbmData(inOrder(), valueBytes, seed);
    }
}
