package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.Renaming;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.UserTypes;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.SearchPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Expands `*` and NATURAL in the text of a view's query, so that it keeps its meaning when its tables get more
/// columns. The binder reports the expansions. A star stays as written if a column in it has no unique name.
final class ViewDeparser {
    /// Replacement of the text from some character up to `end`.
    private record Edit(int end, String text) {}

    private final TreeMap<Integer, Token> tokens = new TreeMap<>();
    private final TreeMap<Integer, Edit> replaced = new TreeMap<>();
    private final TreeMap<Integer, String> inserted = new TreeMap<>();

    /// Schemas to insert directly before names.
    private final TreeMap<Integer, String> named = new TreeMap<>();

    private final SqlText source;

    /// Table or view to be renamed; null if none is.
    private @Nullable String from;

    private String to = "";

    /// Column of `from` to be renamed; null if none is.
    private @Nullable String column;

    /// Positions of the columns that are items of a select list without an alias.
    private final Set<Integer> unnamed = new HashSet<>();

    /// Names of the relations in whose scopes an unqualified name was sought in vain, by its position.
    private final Map<Integer, Set<String>> passed = new HashMap<>();

    /// Whether a name cannot be replaced.
    private boolean stuck;

    /// Whether a name would refer to the column under its new name instead.
    private boolean captured;

    private ViewDeparser(SqlText source) {
        this.source = source;
        Lexer.tokens(source).forEach(token -> tokens.put(token.position(), token));
    }

    /// The query `text`, which can be bound in `catalog`, with stars expanded.
    static String of(String text, Catalog catalog) {
        SqlText source = new SqlText(text);
        ViewDeparser spelled = new ViewDeparser(source);
        List<Prepared.OutputColumn> columns = columns(source, catalog, spelled);
        String edited = spelled.applied(text);
        if (edited.equals(text)) {
            return text;
        }
        try {
            if (columns(new SqlText(edited), catalog, null).equals(columns)) {
                return edited;
            }
        } catch (SqlException unfit) {
            if (unfit.kind() == SqlException.Kind.CANCELLED) {
                throw unfit;
            }
        }
        spelled.replaced.clear();
        spelled.inserted.clear();
        return spelled.applied(text); // still correct at the moment
    }

    private static List<Prepared.OutputColumn> columns(
            SqlText source, Catalog catalog, @Nullable ViewDeparser spelled) {
        if (!(Parser.parseWithTypes(source, UserTypes.of(catalog)).statement()
                instanceof Statement.Query query)) {
            throw new IllegalStateException("no query: " + source.text());
        }
        BindContext around =
                BindContext.of(source, catalog, new ParameterTypes(0)).spelling(spelled);
        return new QueryBinder(around).bind(query, List.of()).columns();
    }

    /// Notes the expansion of `star`.
    void star(Statement.Item.Star star, Scope scope, List<Expression.Starred> columns) {
        List<String> names = new ArrayList<>();
        for (Expression.Starred column : columns) {
            String name = name(scope, column);
            if (name == null) {
                return;
            }
            names.add(name);
        }
        star(star, names);
    }

    /// Notes that `star` has the columns `names` of an outer query.
    void outerStar(Statement.Item.Star star, List<Expression> names) {
        List<String> texts = new ArrayList<>();
        for (Expression each : names) {
            Expression.Name name = (Expression.Name) each;
            String qualifier = name.qualifier() == null ? "" : name.qualifier();
            texts.add(Quoting.name(qualifier) + "." + Quoting.name(name.name()));
        }
        star(star, texts);
    }

    private void star(Statement.Item.Star star, List<String> names) {
        if (from != null) {
            return;
        }
        Token first = tokens.get(star.position());
        if (first == null) {
            return; // not in the text
        }
        Token last = first;
        if (star.qualifier() != null) {
            Token point = next(first);
            last = point != null && point.isSymbol(".") ? next(point) : null;
        }
        if (last == null || !last.isSymbol("*")) {
            return;
        }
        String text = String.join(", ", names);
        int end = star.end() == 0 ? last.position() + 1 : star.end();
        replaced.put(star.position(), new Edit(end, text));
    }

    private @Nullable Token next(Token token) {
        var after = tokens.higherEntry(token.position());
        return after == null ? null : after.getValue();
    }

    /// Text for one column of a star; null if no name identifies it.
    private static @Nullable String name(Scope scope, Expression.Starred column) {
        if (column.relation() >= 0) {
            return qualified(scope, scope.relations().get(column.relation()), column.column());
        }
        Scalar scalar = scope.starred(column);
        if (scalar instanceof Scalar.ColumnRef ref) {
            for (Scope.Relation relation : scope.relations()) {
                int at = ref.column() - relation.firstColumn();
                String name =
                        at >= 0 && at < relation.columns().size()
                                ? qualified(scope, relation, at)
                                : null;
                if (name != null) {
                    boolean same = relation.columns().get(at).name().equals(column.name());
                    return same ? name : name + " AS " + Quoting.name(column.name());
                }
            }
        }
        return scope.entries(column.name()).size() == 1 ? Quoting.name(column.name()) : null;
    }

    private static @Nullable String qualified(Scope scope, Scope.Relation relation, int column) {
        String name = relation.columns().get(column).name();
        long alike =
                relation.columns().stream().filter(c -> c.name().equalsIgnoreCase(name)).count();
        if (relation.name().isEmpty() || alike != 1) {
            return null;
        }
        String path = relation.path();
        boolean whole = !path.isEmpty() && scope.isAmbiguous(relation);
        String schema = whole ? Quoting.name(path.substring(0, path.indexOf('\0', 1))) + "." : "";
        return schema + Quoting.name(relation.name()) + "." + Quoting.name(name);
    }

    /// Notes `names`, the columns that a NATURAL JOIN compares.
    void natural(From.Join join, List<Identifier> names) {
        if (from != null) {
            return;
        }
        Token word = tokens.get(join.position());
        Token after = word == null ? null : next(word);
        if (word == null || after == null || !word.is(Keyword.NATURAL)) {
            return;
        }
        replaced.put(join.position(), new Edit(after.position(), ""));
        List<String> quoted = names.stream().map(name -> Quoting.name(name.name())).toList();
        inserted.put(
                join.end(),
                quoted.isEmpty() ? "ON TRUE " : "USING (" + String.join(", ", quoted) + ") ");
    }

    /// The query `text` of a view, with the table or view `from` (as in [SearchPath#named]) renamed to the text
    /// `to`. An alias keeps its old name within the query.
    static String renamed(String text, Catalog catalog, String from, String to) {
        SqlText source = new SqlText(text);
        ViewDeparser spelled = new ViewDeparser(source);
        spelled.from = from;
        spelled.to = to;
        columns(source, catalog, spelled);
        spelled.qualifiers(from);
        return spelled.applied(text);
    }

    /// The query `text` of a view, with the column `column` of the table `path` ([Table#path]) renamed to `to`.
    /// Items of select lists keep their old name as an alias. The same text if a name cannot be replaced; null if
    /// another name would refer to the column.
    static @Nullable String renamedColumn(
            String text, Catalog catalog, String path, String column, String to) {
        SqlText source = new SqlText(text);
        ViewDeparser spelled = new ViewDeparser(source);
        spelled.from = path;
        spelled.column = column;
        spelled.to = to;
        columns(source, catalog, spelled);
        return spelled.captured ? null : spelled.stuck ? text : spelled.applied(text);
    }

    /// Whether a name in the query `text` of a view would refer to a new column `name` of the table `path`.
    static boolean captures(String text, Catalog catalog, String path, String name) {
        SqlText source = new SqlText(text);
        ViewDeparser spelled = new ViewDeparser(source);
        spelled.from = path;
        spelled.to = name;
        columns(source, catalog, spelled);
        return spelled.captured;
    }

    /// Notes that `expression` is an item of a select list and gives it its name.
    void unnamed(Expression expression) {
        if (expression instanceof Expression.Name name) {
            unnamed.add(name.position());
        } else if (column != null && column.equalsIgnoreCase(SelectBinder.name(expression))) {
            stuck = true;
        }
    }

    /// Notes that `name` refers to a column of `scope`.
    void column(Expression.Name name, Scope scope) {
        String path = from;
        if (path == null || column == null || !column.equalsIgnoreCase(name.name())) {
            return;
        }
        Token first = tokens.get(name.position());
        Token last = first;
        String qualifier = name.qualifier();
        for (int i = qualifier == null ? -1 : qualifier.indexOf('\0', 1) < 0 ? 1 : 3;
                i >= 0 && last != null;
                i--) {
            last = next(last);
        }
        if (first == null || last == null || !last.isName()) {
            return; // not in the text
        }
        List<Scope.Relation> owners = owners(scope, name, path);
        if (owners.isEmpty()) {
            return;
        }
        stuck |= owners.size() > 1 || !last.text().equalsIgnoreCase(column);
        Scope.Relation owner = owners.getFirst();
        captured |=
                qualifier == null
                        && passed.getOrDefault(first.position(), Set.of()).contains(owner.name());
        String before =
                qualifier != null
                        ? source.text().substring(first.position(), last.position())
                        : owner.name().isEmpty() ? "" : Quoting.name(owner.name()) + ".";
        boolean item = unnamed.contains(first.position());
        String alias = item ? " AS " + Quoting.name(name.name()) : "";
        int end = Renaming.end(source.text(), last);
        replaced.put(first.position(), new Edit(end, before + Quoting.name(to) + alias));
    }

    /// Notes that no column of `scope` is called `name`, which is sought further out.
    void absent(Expression.Name name, Scope scope) {
        String path = from;
        Token token = tokens.get(name.position());
        if (path == null || name.qualifier() != null || token == null || !token.isName()) {
            return;
        }
        if (name.name().equalsIgnoreCase(column)) {
            Set<String> names =
                    passed.computeIfAbsent(
                            name.position(), _ -> new TreeSet<>(String.CASE_INSENSITIVE_ORDER));
            scope.relations().forEach(relation -> names.add(relation.name()));
        }
        if (name.name().equalsIgnoreCase(to)) {
            captured |= scope.relations().stream().anyMatch(each -> isOf(each, path));
        }
    }

    private static boolean isOf(Scope.Relation relation, String path) {
        return relation.values().isEmpty() && relation.table().equalsIgnoreCase(path);
    }

    /// The relations with the column `name`, if one of them is the table `path`; else none.
    private static List<Scope.Relation> owners(Scope scope, Expression.Name name, String path) {
        List<Scope.Relation> owners = new ArrayList<>();
        boolean meant = false;
        String qualifier = name.qualifier();
        Scope.Relation only = qualifier == null ? null : scope.relation(qualifier);
        for (Scope.Relation relation : only == null ? scope.relations() : List.of(only)) {
            if (relation.columns().stream()
                    .anyMatch(each -> each.name().equalsIgnoreCase(name.name()))) {
                owners.add(relation);
                meant |= isOf(relation, path);
            }
        }
        return meant ? owners : List.of();
    }

    /// Removes the schema from columns qualified with it and the table `path`.
    private void qualifiers(String path) {
        for (Token schema : tokens.values()) {
            Token point = schema.isName() ? next(schema) : null;
            Token table = point != null && point.isSymbol(".") ? next(point) : null;
            Token behind = table != null && table.isName() ? next(table) : null;
            if (table != null
                    && behind != null
                    && behind.isSymbol(".")
                    && path.equalsIgnoreCase(SearchPath.named(schema.text(), table.text()))) {
                replaced.put(schema.position(), new Edit(table.position(), ""));
            }
        }
    }

    /// Notes that `name` refers to the table or view `path`.
    ///
    /// @param schema its schema, if the name alone does not find it; else empty
    void relation(Identifier name, String path, String schema, boolean aliased) {
        Token first = tokens.get(name.position());
        if (first == null || !first.isName()) {
            return; // not in the text
        }
        if (column != null || (from != null && !from.equalsIgnoreCase(path))) {
            return;
        }
        if (from == null && !schema.isEmpty() && first.text().equals(name.name())) {
            named.put(name.position(), Quoting.name(schema) + ".");
        } else if (from != null) {
            Token last = name.schema().isEmpty() ? first : next(first);
            last = name.schema().isEmpty() || last == null ? last : next(last);
            if (last != null) {
                String alias = aliased ? "" : " AS " + Quoting.name(name.name());
                int end = Renaming.end(source.text(), last);
                replaced.put(name.position(), new Edit(end, to + alias));
            }
        }
    }

    /// Notes that the function at `position` is in `schema`.
    void function(int position, String schema) {
        Token first = tokens.get(position);
        if (from == null && first != null && first.isName()) {
            named.put(position, Quoting.name(schema) + ".");
        }
    }

    private String applied(String text) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            insert(at, out);
            out.append(named.getOrDefault(at, ""));
            Edit edit = replaced.get(at);
            if (edit == null) {
                out.append(text.charAt(at++));
            } else {
                out.append(edit.text);
                at = edit.end;
            }
        }
        insert(text.length(), out);
        return out.toString().strip();
    }

    /// Inserts the text for `at`: after a blank, or on a new line if this one may end in a comment.
    private void insert(int at, StringBuilder out) {
        String text = inserted.get(at);
        if (text == null) {
            return;
        }
        boolean blank = !out.isEmpty() && Character.isWhitespace(out.charAt(out.length() - 1));
        boolean comment = out.indexOf("--", out.lastIndexOf("\n") + 1) >= 0;
        out.append(comment ? "\n" : blank ? "" : " ").append(text);
    }
}
