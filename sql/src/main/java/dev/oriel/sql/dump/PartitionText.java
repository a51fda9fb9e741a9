package dev.oriel.sql.dump;

import dev.oriel.sql.bind.Partitions;
import dev.oriel.sql.syntax.Renaming;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The statements that define the partitions of one table, with constraints and indexes of their own.
final class PartitionText {
    private final Catalog catalog;
    private final Partitions partitions;
    private final Table table;

    PartitionText(Catalog catalog, Partitions partitions) {
        this.catalog = catalog;
        this.partitions = partitions;
        this.table = partitions.table();
    }

    private static List<Partition> below(Partitions partitions, Catalog catalog) {
        Partition root = catalog.partition(partitions.table().id());
        return root == null ? List.of() : partitions.below(root);
    }

    /// PARTITION BY of `place`.
    static String by(Partition place) {
        if (place.strategy() == Partition.Strategy.NONE) {
            return "";
        }
        return " PARTITION BY " + place.strategy() + " (" + String.join(", ", place.key()) + ")";
    }

    /// The partition that alone has `check`; null if it is one of the whole table.
    static @Nullable Long owner(Partitions partitions, Check check) {
        for (var each : partitions.conditions().entrySet()) {
            if (Partitions.ownCheck(each.getValue(), check) != null) {
                return each.getKey();
            }
        }
        return null;
    }

    /// The partition that alone has `index`; null if it is one of the whole table.
    static @Nullable Long owner(Partitions partitions, Index index) {
        for (var each : partitions.conditions().entrySet()) {
            if (Partitions.isOwn(each.getValue(), index)) {
                return each.getKey();
            }
        }
        return null;
    }

    /// The partitions, each before those below it.
    List<String> all() {
        List<String> all = new ArrayList<>();
        for (Partition place : below(partitions, catalog)) {
            View view = catalog.view(place.of());
            if (view != null) {
                add(all, place, view);
            }
        }
        return all;
    }

    private void add(List<String> all, Partition place, View view) {
        String name = NameText.of(view.schema(), view.name());
        String bound = " " + place.bound() + by(place);
        List<String> checks = checks(place);
        if (view.columns().equals(columns(place.parent()))) {
            all.add(
                    "CREATE TABLE "
                            + name
                            + " PARTITION OF "
                            + relation(place.parent())
                            + (checks.isEmpty() ? "" : TableText.elements(checks))
                            + bound);
            return;
        }
        all.add(alone(view, place));
        all.add(
                "ALTER TABLE "
                        + relation(place.parent())
                        + " ATTACH PARTITION "
                        + name
                        + " "
                        + place.bound());
        checks.forEach(check -> all.add("ALTER TABLE " + name + " ADD " + check));
    }

    /// A table with the columns of a partition whose order is not that of its table, to be attached.
    private String alone(View view, Partition place) {
        List<String> elements = new ArrayList<>();
        for (String column : view.columns()) {
            Column own = table.columns().get(table.column(column));
            elements.add(TableText.plain(own));
        }
        for (Check check : table.constraints().declared()) {
            if (owner(partitions, check) == null) {
                elements.add(TableText.check(check.name(), check.expression()));
            }
        }
        return "CREATE TABLE "
                + NameText.of(view.schema(), view.name())
                + TableText.elements(elements)
                + by(place);
    }

    private List<String> columns(long of) {
        View view = catalog.view(of);
        return view == null ? table.columns().stream().map(Column::name).toList() : view.columns();
    }

    /// Name of the table or partition of number `of`.
    private String relation(long of) {
        View view = catalog.view(of);
        return view == null
                ? NameText.of(table.schema(), table.name())
                : NameText.of(view.schema(), view.name());
    }

    private List<String> checks(Partition place) {
        String own = partitions.condition(place);
        List<String> checks = new ArrayList<>();
        for (Check check : table.constraints().declared()) {
            String text = Partitions.ownCheck(own, check);
            if (text != null) {
                String called = Renaming.table(text, table.name(), partitions.name(place));
                checks.add(TableText.check(check.name(), called));
            }
        }
        return checks;
    }

    /// The indexes of partitions alone.
    List<String> indexes() {
        List<String> indexes = new ArrayList<>();
        for (Partition place : below(partitions, catalog)) {
            String own = partitions.condition(place);
            for (Index index : table.indexes()) {
                Index.Terms terms = index.terms();
                String condition = terms == null ? null : terms.condition();
                if (terms != null && condition != null && Partitions.isOwn(own, index)) {
                    List<String> keys = new ArrayList<>();
                    for (String text : terms.expressions()) {
                        keys.add(renamed(text, place));
                    }
                    String where = Partitions.rest(own, condition);
                    indexes.add(
                            TableText.index(
                                    index,
                                    relation(place.of()),
                                    keys,
                                    where == null ? null : renamed(where, place)));
                }
            }
        }
        return indexes;
    }

    private String renamed(String text, Partition place) {
        return Renaming.table(text, table.name(), partitions.name(place));
    }
}
