package dev.oriel.sql.dump;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.bind.Views;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.MaterializedView;
import dev.oriel.table.definition.Names;
import dev.oriel.table.definition.Note;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The statements that define views, materialized views and functions, each after those that it names.
///
/// A text that contains another's name as a word comes after it. If names of columns make texts seem to need each
/// other, the first one that can be bound without the others comes first.
final class ViewText {
    private final Catalog catalog;
    private final List<Node> nodes = new ArrayList<>();

    /// A definition.
    ///
    /// @param text the query or body
    /// @param query of a view; null for a function
    private record Node(
            long id,
            String key,
            String name,
            String text,
            @Nullable View query,
            List<String> made) {}

    ViewText(Catalog catalog) {
        this.catalog = catalog;
        for (View view : catalog.views()) {
            if (!view.temporary() && catalog.partition(view.id()) == null) {
                add(view.id(), view.schema(), view.name(), view.query(), view, List.of(of(view)));
            }
        }
        for (Table table : catalog.tables()) {
            MaterializedView view = catalog.materialized(table.id());
            if (view != null) {
                add(
                        table.id(),
                        table.schema(),
                        table.name(),
                        view.query(),
                        view.asView(table),
                        materialized(table, view));
            }
        }
        for (SqlFunction function : catalog.functions()) {
            if (!Catalog.isTemporary(function.schema())) {
                String name = function.name() + Names.SCHEMA_END + function.parameters().size();
                add(
                        function.id(),
                        function.schema(),
                        name,
                        function.body().text(),
                        null,
                        new FunctionText(catalog, function).statements());
            }
        }
        nodes.sort(Comparator.comparing(Node::key));
    }

    private void add(
            long id,
            String schema,
            String name,
            String text,
            @Nullable View query,
            List<String> made) {
        int end = name.indexOf(Names.SCHEMA_END);
        String bare = Names.folded(end < 0 ? name : name.substring(0, end));
        nodes.add(new Node(id, Names.key(schema, name), bare, text, query, made));
    }

    /// All statements in order.
    List<String> all() {
        Map<String, Set<Node>> byName = new HashMap<>();
        nodes.forEach(node -> byName.computeIfAbsent(node.name, _ -> new HashSet<>()).add(node));
        Map<Node, Set<Node>> needs = new HashMap<>();
        nodes.forEach(node -> needs.put(node, named(node, byName)));
        List<String> all = new ArrayList<>();
        List<Node> left = new ArrayList<>(nodes);
        while (!left.isEmpty()) {
            Node next = next(left, needs);
            left.remove(next);
            needs.values().forEach(others -> others.remove(next));
            all.addAll(next.made);
        }
        return all;
    }

    private static Set<Node> named(Node node, Map<String, Set<Node>> byName) {
        Set<Node> named = new HashSet<>();
        for (Token token : Lexer.tokens(new SqlText(node.text))) {
            if (token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED) {
                named.addAll(byName.getOrDefault(Names.folded(token.text()), Set.of()));
            }
        }
        named.remove(node);
        return named;
    }

    private Node next(List<Node> left, Map<Node, Set<Node>> needs) {
        for (Node node : left) {
            if (needs.getOrDefault(node, Set.of()).isEmpty()) {
                return node;
            }
        }
        Catalog without = without(left);
        for (Node node : left) {
            if (node.query != null && isBound(without, node.query)) {
                return node;
            }
        }
        return left.stream().min(Comparator.comparingLong(Node::id)).orElseThrow();
    }

    private static boolean isBound(Catalog without, View view) {
        try {
            return !Views.columns(without, view).isEmpty();
        } catch (SqlException unknown) {
            return false;
        }
    }

    /// The catalog before the definitions of `left`.
    private Catalog without(List<Node> left) {
        Set<Long> gone = new HashSet<>();
        left.forEach(node -> gone.add(node.id));
        Map<String, Table> tables = new HashMap<>(catalog.byName());
        tables.values().removeIf(table -> gone.contains(table.id()));
        Map<String, View> views = new HashMap<>(catalog.viewsByName());
        views.values().removeIf(view -> gone.contains(view.id()));
        Map<Long, Note> notes = new HashMap<>(catalog.notes());
        notes.values()
                .removeIf(note ->
                        gone.contains(note.id())
                                || (note instanceof MaterializedView view
                                        && gone.contains(view.of())));
        return new Catalog(catalog.version(), tables, views, catalog.sequencesByName(), notes);
    }

    private static String of(View view) {
        String option =
                switch (view.checkOption()) {
                    case NONE -> "";
                    case LOCAL -> " WITH LOCAL CHECK OPTION";
                    case CASCADED -> " WITH CASCADED CHECK OPTION";
                };
        return "CREATE VIEW "
                + NameText.of(view.schema(), view.name())
                + " "
                + NameText.list(view.columns())
                + " AS "
                + view.query()
                + option;
    }

    private List<String> materialized(Table table, MaterializedView view) {
        List<String> made = new ArrayList<>();
        made.add(
                "CREATE MATERIALIZED VIEW "
                        + NameText.of(table.schema(), table.name())
                        + " "
                        + NameText.list(view.asView(table).columns())
                        + " AS "
                        + view.query()
                        + (view.populated() ? "" : " WITH NO DATA"));
        for (Index index : table.indexes()) {
            made.add(new TableText(catalog).index(table, index));
        }
        return made;
    }
}
