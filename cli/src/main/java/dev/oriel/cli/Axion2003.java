package dev.oriel.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rates that "The Pleasures of Profiling" (21 April 2003) measured for the same query with Axion, on a table of
/// 5,000 rows and the hardware of its day. Quoted, not measured.
final class Axion2003 {
    private static final String WHERE = "Axion on hardware of 2003";

    /// Rows of index, queries a second, rows a second, environment.
    static final List<List<@Nullable String>> RATES =
            List.of(
                    List.of("B-tree", "12.0", "120.5", WHERE + ", before tuning"),
                    List.of("B-tree", "2,112", "21,124", WHERE + ", after tuning"),
                    List.of("array", "2,147", "21,468", WHERE));

    private Axion2003() {}
}
