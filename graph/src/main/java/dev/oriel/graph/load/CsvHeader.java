package dev.oriel.graph.load;

import dev.oriel.graph.value.DataType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The columns of a CSV file, from its first line. Ids, labels and ends are recognized by their titles. These are
/// Amazon Neptune's (`~id`, `~label`, `~from`, `~to`), Neo4j's (`:ID`, `:LABEL`, `:TYPE`, `:START_ID`, `:END_ID`),
/// or named by the user.
///
/// @param id position of the column of ids, or -1; the same for the others
public record CsvHeader(List<CsvColumn> columns, int id, int label, int source, int target) {
    /// Titles that a user gives to the special columns, and types of properties by name.
    public record Titles(
            Set<String> id,
            Set<String> label,
            Set<String> source,
            Set<String> target,
            Map<String, DataType> types) {}

    /// Parses the titles of the columns.
    ///
    /// @throws IllegalArgumentException if a title is repeated, or has an unknown type
    public static CsvHeader parse(List<String> titles, Titles named) {
        List<CsvColumn> columns = new ArrayList<>();
        Map<String, Integer> places = new HashMap<>();
        int[] special = {-1, -1, -1, -1};
        for (int i = 0; i < titles.size(); i++) {
            String title = titles.get(i).strip();
            CsvColumn.Role role = role(title, named);
            CsvColumn column;
            String key;
            if (role == null) {
                column = typed(CsvColumn.property(title), named);
                key = "property " + column.name();
            } else {
                column = new CsvColumn(role, "", null, false);
                special[place(role)] = i;
                key = "column of " + role.name().toLowerCase(Locale.ROOT) + "s";
            }
            if (title.isEmpty() || places.put(key, i) != null) {
                throw new IllegalArgumentException(
                        title.isEmpty()
                                ? "The header has a column without a title: number " + (i + 1)
                                : "The header has the %s twice".formatted(key));
            }
            columns.add(column);
        }
        return new CsvHeader(List.copyOf(columns), special[0], special[1], special[2], special[3]);
    }

    private static int place(CsvColumn.Role role) {
        return switch (role) {
            case ID -> 0;
            case LABEL -> 1;
            case SOURCE -> 2;
            case TARGET -> 3;
            case PROPERTY -> throw new IllegalArgumentException("a property");
        };
    }

    private static CsvColumn typed(CsvColumn column, Titles named) {
        DataType type = named.types.get(column.name());
        return type == null ? column : column.withType(type);
    }

    private static CsvColumn.@Nullable Role role(String title, Titles named) {
        String upper = title.toUpperCase(Locale.ROOT);
        if (named.id.contains(title)
                || upper.equals("~ID")
                || upper.matches("\\w*:ID(\\(.*\\))?")) {
            return CsvColumn.Role.ID;
        }
        if (named.label.contains(title)
                || upper.equals("~LABEL")
                || upper.equals(":LABEL")
                || upper.equals(":TYPE")) {
            return CsvColumn.Role.LABEL;
        }
        if (named.source.contains(title)
                || upper.equals("~FROM")
                || upper.matches(":START_ID(\\(.*\\))?")) {
            return CsvColumn.Role.SOURCE;
        }
        if (named.target.contains(title)
                || upper.equals("~TO")
                || upper.matches(":END_ID(\\(.*\\))?")) {
            return CsvColumn.Role.TARGET;
        }
        return null;
    }

    /// Whether the rows are edges.
    public boolean isOfEdges() {
        return source >= 0 && target >= 0;
    }
}
