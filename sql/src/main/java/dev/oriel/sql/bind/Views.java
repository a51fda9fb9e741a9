package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.cancel.LargeStack;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Replan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.planner.PushDown;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.UserTypes;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.Nesting;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.MaterializedView;
import dev.oriel.table.definition.Note;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Views. Their queries are bound at each read, up to a limit ([ViewReads]), and after each change of a definition. So
/// a change is refused if it removes something needed by a view.
public final class Views {
    /// Limit of the nesting of views.
    private static final int DEPTH_MAX = 600;

    /// Nesting of views up to which any thread's stack suffices.
    private static final int DEPTH_USUAL = 8;

    private Views() {}

    /// The query of `view`, with its columns in order.
    static BoundQuery bind(BindContext around, View view) {
        ViewReads reads = around.binding().views();
        if (reads.takeApart()) {
            return bound(around, view);
        }
        BoundQuery kept = reads.kept(view);
        return kept == null ? reads.keep(view, bound(around, view), around) : kept;
    }

    /// Columns of `view`, with the types from its query.
    public static List<Column> columns(Catalog catalog, View view) {
        return columns(catalog.seenBy(view.path()), view, ViewReads.ofDefinitions());
    }

    /// Same as [#columns], with `reads` shared by several views.
    static List<Column> columns(Catalog catalog, View view, ViewReads reads) {
        BindContext around =
                BindContext.of(new SqlText(view.query()), catalog, new ParameterTypes(0))
                        .reading(reads);
        return bind(around, view).asTable();
    }

    /// The query of `view`, to be run in a definition.
    public static BoundQuery filling(SqlText source, Catalog catalog, View view) {
        BindContext around =
                BindContext.of(source, catalog.seenBy(view.path()), new ParameterTypes(0));
        BoundQuery bound = bind(around, view);
        around.checkRead();
        return bound;
    }

    private static BoundQuery bound(BindContext around, View view) {
        Cancellation.pollRunning();
        SqlText text = new SqlText(view.query());
        BindContext inside = inside(around, view, text);
        return isDeep(inside, text)
                ? LargeStack.call(() -> bound(inside, view, text))
                : bound(inside, view, text);
    }

    /// Whether the usual stack may be too small for the query `text` of a view.
    static boolean isDeep(BindContext inside, SqlText text) {
        return isDeep(inside.binding().depth(), text);
    }

    /// Same as [#isDeep(BindContext,SqlText)], for a text at `depth`.
    static boolean isDeep(int depth, SqlText text) {
        return depth % DEPTH_USUAL == 0 || Nesting.isDeep(text);
    }

    /// Context of the query `text` of `view`.
    static BindContext inside(BindContext around, View view, SqlText text) {
        int depth = around.binding().depth() + 1;
        Catalog catalog = around.binding().catalog();
        if (depth > catalog.viewsByName().size() + catalog.notes().size() + 1) { // one is new
            throw text.error(Kind.INVALID_RECURSION, 0, "Views read one another in a cycle");
        } else if (depth > DEPTH_MAX) {
            throw text.error(
                    Kind.TOO_COMPLEX,
                    0,
                    "Views read one another more than "
                            + DEPTH_MAX
                            + " deep; let one read the tables beneath directly");
        }
        BindContext.Binding outer = around.binding();
        return new BindContext(
                outer.inside(text, outer.catalog().seenBy(view.path()), outer.inlined()),
                null,
                null);
    }

    private static BoundQuery bound(BindContext inside, View view, SqlText text) {
        Statement.Query query = query(text, inside.binding().catalog());
        return arranged(text, view, new QueryBinder(inside).bind(query, List.of()));
    }

    static Statement.Query query(SqlText text, Catalog catalog) {
        if (Parser.parseWithTypes(text, UserTypes.of(catalog)).statement()
                instanceof Statement.Query query) {
            return query;
        }
        throw new IllegalStateException("a view is no query: " + text.text());
    }

    /// Selects the columns that the view had when it was created, even if a star has more by now.
    private static BoundQuery arranged(SqlText text, View view, BoundQuery bound) {
        List<Scalar> columns = new ArrayList<>();
        List<Prepared.OutputColumn> outputs = new ArrayList<>();
        List<Boolean> untyped = new ArrayList<>();
        int[] places =
                places(
                        text,
                        view,
                        bound.columns().stream().map(Prepared.OutputColumn::name).toList());
        String table = SearchPath.shortened(SearchPath.named(view.schema(), view.name()));
        for (int i = 0; i < view.columns().size(); i++) {
            int from = places[i];
            Prepared.OutputColumn own = bound.columns().get(from);
            columns.add(new Scalar.ColumnRef(from, own.type(), own.nullable(), own.name()));
            outputs.add(
                    new Prepared.OutputColumn(
                            view.columns().get(i), own.type(), own.nullable(), table));
            untyped.add(bound.untyped().get(from));
        }
        boolean same = columns.size() == bound.columns().size();
        for (int i = 0; same && i < columns.size(); i++) {
            same = columns.get(i) instanceof Scalar.ColumnRef ref && ref.column() == i;
        }
        Plan plan = same ? bound.plan() : new Plan.Project(bound.plan(), List.copyOf(columns));
        Replan replan =
                same ? bound.replan() : PushDown.projected(bound.replan(), List.copyOf(columns));
        return new BoundQuery(plan, List.copyOf(outputs), List.copyOf(untyped), replan);
    }

    /// Position in the query of each column of `view`.
    ///
    /// @param names columns of the query, whose text is `text`
    static int[] places(SqlText text, View view, List<String> names) {
        int[] places = new int[view.columns().size()];
        boolean[] taken = new boolean[names.size()];
        for (int i = 0; i < places.length; i++) {
            String name = view.reads().get(i);
            int from = 0;
            while (from < taken.length && (taken[from] || !names.get(from).equals(name))) {
                from++;
            }
            if (from == taken.length) {
                throw text.error(
                        Kind.UNKNOWN_COLUMN,
                        0,
                        "Column \""
                                + name
                                + "\" of view \""
                                + view.name()
                                + "\" no longer exists: create the view again");
            }
            taken[from] = true;
            places[i] = from;
        }
        return places;
    }

    /// Whether `create` defines a temporary view, because its query reads a temporary table or view.
    public static boolean readsTemporary(
            SqlText source, Catalog catalog, Statement.CreateView create) {
        String schema = catalog.temporary();
        if (schema.isEmpty()) {
            return false;
        }
        List<String> mentioned = new ArrayList<>();
        for (Token token : Lexer.tokens(new SqlText(create.text()))) {
            if (token.isName() && catalog.holds(schema, token.text())) {
                mentioned.add(token.text());
            }
        }
        SearchPath permanent = new SearchPath("", catalog.path().schemas());
        Catalog without = catalog.seenBy(permanent);
        if (mentioned.isEmpty()
                || mentioned.stream()
                        .anyMatch(name ->
                                without.table(name) != null || without.view(name) != null)) {
            return !mentioned.isEmpty(); // a permanent one has the same name
        }
        try {
            of(source, without, create, 0);
            return false; // the name refers to something else
        } catch (SqlException lost) {
            if (lost.kind() == Kind.CANCELLED) {
                throw lost;
            }
            return true;
        }
    }

    /// The view that `create` defines, in `catalog`, which does not yet contain it.
    public static View of(SqlText source, Catalog catalog, Statement.CreateView create, long id) {
        return LargeStack.call(Nesting.isDeep(source), () -> bound(source, catalog, create, id));
    }

    private static View bound(
            SqlText source, Catalog catalog, Statement.CreateView create, long id) {
        BindContext around = BindContext.of(source, catalog, new ParameterTypes(0));
        BoundQuery bound = new QueryBinder(around).bind(create.query(), List.of());
        List<String> reads = bound.columns().stream().map(Prepared.OutputColumn::name).toList();
        List<String> names = new ArrayList<>();
        List<Identifier> given = create.columns();
        if (given.size() > reads.size()) {
            throw source.error(
                    Kind.SYNTAX,
                    given.get(reads.size()).position(),
                    "The view has " + given.size() + " names for " + reads.size() + " columns");
        }
        for (int i = 0; i < reads.size(); i++) {
            Identifier name =
                    i < given.size()
                            ? given.get(i)
                            : new Identifier(create.name().position(), reads.get(i));
            if (names.stream().anyMatch(name.name()::equalsIgnoreCase)) {
                throw source.error(
                        Kind.DUPLICATE_COLUMN,
                        name.position(),
                        "Two columns of the view are called \""
                                + name.name()
                                + "\": give one of them another name");
            }
            names.add(name.name());
        }
        String text = ViewDeparser.of(create.text(), catalog);
        return new View(id, create.name().name(), names, reads, text)
                .withCheckOption(create.checkOption());
    }

    /// The views of `catalog` that read the table or view `name` of `schema`, with that renamed to the text `to` in
    /// their queries.
    public static List<View> renamed(Catalog catalog, String schema, String name, String to) {
        List<View> renamed = new ArrayList<>();
        for (View view : catalog.queries()) {
            if (!mentions(view, name)) {
                continue;
            }
            SqlText text = new SqlText(view.query());
            String path = SearchPath.named(schema, name);
            String query =
                    LargeStack.call(
                            Nesting.isDeep(text),
                            () ->
                                    ViewDeparser.renamed(
                                            view.query(), catalog.seenBy(view.path()), path, to));
            if (!query.equals(view.query())) {
                renamed.add(view.withQuery(query));
            }
        }
        return renamed;
    }

    /// The views of `catalog` that read the column `from` of `table`, with that renamed to `to` in their queries.
    ///
    /// @param position of the new name in `source`
    public static List<View> renamedColumn(
            SqlText source, int position, Catalog catalog, Table table, String from, String to) {
        List<View> renamed = new ArrayList<>();
        for (View view : catalog.queries()) {
            if (catalog.partition(view.id()) != null
                    || !(mentions(view, from) || mentions(view, to))) {
                continue; // the views of partitions are written anew
            }
            String query =
                    LargeStack.call(
                            Nesting.isDeep(new SqlText(view.query())),
                            () ->
                                    ViewDeparser.renamedColumn(
                                            view.query(),
                                            catalog.seenBy(view.path()),
                                            table.path(),
                                            from,
                                            to));
            if (query == null) {
                throw captured(source, position, view, to);
            }
            if (!query.equals(view.query())) {
                renamed.add(view.withQuery(query));
            }
        }
        return renamed;
    }

    /// The error that a column called `name` would become another one in `view`.
    private static SqlException captured(SqlText source, int position, View view, String name) {
        return losesMeaning(
                source, position, view, "\"" + name + "\" in it would become another column");
    }

    private static SqlException losesMeaning(SqlText source, int position, View view, String why) {
        return source.error(
                Kind.DEPENDENT,
                position,
                "View \""
                        + view.name()
                        + "\" would lose its meaning; change that first, or choose another name: "
                        + why);
    }

    /// Stores the query and the other properties of `view`; of a materialized one, whose names are those of its
    /// table, the query alone.
    public static void store(TableTransaction transaction, View view) {
        if (transaction.catalog().notes().get(view.id()) instanceof MaterializedView own) {
            transaction.create(own.withQuery(view.query()));
        } else {
            transaction.create(view);
        }
    }

    private static void drop(TableTransaction transaction, View view) {
        Table stored = stored(transaction.catalog(), view);
        if (stored == null) {
            transaction.drop(view);
        } else {
            transaction.drop(stored);
        }
    }

    /// The rows of `view`, if it is a materialized one; else null.
    private static @Nullable Table stored(Catalog catalog, View view) {
        return catalog.notes().get(view.id()) instanceof MaterializedView own
                ? catalog.table(own.of())
                : null;
    }

    private static boolean mentions(View view, String name) {
        return Lexer.tokens(new SqlText(view.query())).stream()
                .anyMatch(token -> token.isName() && token.text().equalsIgnoreCase(name));
    }

    /// Writes the views of all partitions anew, then checks that all stored expressions and views are still valid
    /// after a change of definitions.
    ///
    /// @param before the definitions before the change
    /// @param cascade whether invalid views are dropped
    public static void check(
            SqlText source,
            int position,
            TableTransaction transaction,
            Catalog before,
            boolean cascade) {
        if (transaction.catalog().hasPartitions()) {
            refreshPartitions(source, position, transaction);
        }
        boolean again = true;
        while (again) {
            again = false;
            Catalog catalog = transaction.catalog();
            ViewReads reads = ViewReads.ofDefinitions();
            for (View view : catalog.queries()) {
                if (lost(source, catalog.seenBy(view.path()), view, reads) != null) {
                    if (!cascade) {
                        throw source.error(
                                Kind.DEPENDENT,
                                position,
                                "View \""
                                        + view.name()
                                        + "\" needs it; drop the view first, or"
                                        + " use CASCADE where it is allowed");
                    }
                    drop(transaction, view);
                    again = true;
                }
            }
            again |= checkBodies(source, position, transaction, before, cascade);
        }
        for (Table table : new TreeMap<>(transaction.catalog().byName()).values()) {
            checkTable(source, position, table);
        }
    }

    private static void refreshPartitions(
            SqlText source, int position, TableTransaction transaction) {
        try {
            Partitions.refresh(transaction);
        } catch (SqlException lost) {
            if (lost.kind() == Kind.CANCELLED || lost.kind() == Kind.TOO_COMPLEX) {
                throw lost;
            }
            throw source.error(
                    Kind.DEPENDENT,
                    position,
                    "A key or bound of partitions needs the old definition; change that first: "
                            + why(lost));
        }
    }

    /// Checks the functions and procedures whose bodies are no strings, and the triggers. Views that were invalid in
    /// `before` do not change.
    ///
    /// @return whether one has been dropped
    private static boolean checkBodies(
            SqlText source,
            int position,
            TableTransaction transaction,
            Catalog before,
            boolean cascade) {
        boolean dropped = false;
        for (Note body : bodies(transaction.catalog())) {
            if (lost(source, transaction.catalog(), body) == null
                    || lost(source, before, body) != null) {
                continue;
            }
            if (!cascade) {
                String kind = kind(body);
                throw source.error(
                        Kind.DEPENDENT,
                        position,
                        named(body)
                                + " needs it; drop the "
                                + kind.toLowerCase(Locale.ROOT)
                                + " first, or use CASCADE where it is allowed");
            }
            transaction.drop(body);
            dropped = true;
        }
        return dropped;
    }

    /// The definitions of `catalog` that keep statements as text.
    private static List<Note> bodies(Catalog catalog) {
        List<Note> all = new ArrayList<>(catalog.functions());
        all.addAll(catalog.triggers());
        all.addAll(catalog.procedures());
        return all;
    }

    private static String kind(Note body) {
        return body instanceof SqlFunction
                ? "Function"
                : body instanceof Trigger ? "Trigger" : "Procedure";
    }

    private static String named(Note body) {
        String name =
                body instanceof SqlFunction function
                        ? function.name()
                        : body instanceof Trigger trigger
                                ? trigger.name()
                                : ((Procedure) body).name();
        return kind(body) + " \"" + name + "\"";
    }

    /// The error that makes `body` invalid in `catalog`; null if it is valid, keeps nothing, or was not yet there.
    private static @Nullable SqlException lost(SqlText source, Catalog catalog, Note body) {
        if (!catalog.notes().containsKey(body.id())) {
            return null;
        }
        return switch (body) {
            case SqlFunction function -> lost(source, catalog, function);
            case Trigger trigger -> Triggers.lost(catalog, trigger);
            case Procedure procedure -> Procedures.lost(catalog, procedure);
            default -> null;
        };
    }

    /// The error that makes the body of `function` invalid in `catalog`; null if it is valid, or a string.
    private static @Nullable SqlException lost(
            SqlText source, Catalog catalog, SqlFunction function) {
        if (function.body().form() == SqlFunction.Form.STRING) {
            return null;
        }
        try {
            checkFunction(source, 0, catalog, function);
            return null;
        } catch (SqlException lost) {
            if (lost.kind() == Kind.CANCELLED || lost.kind() == Kind.TOO_COMPLEX) {
                throw lost;
            }
            return lost;
        }
    }

    /// Checks that the body of `function` is valid in `catalog`, which has the function.
    public static void checkFunction(
            SqlText source, int position, Catalog catalog, SqlFunction function) {
        FunctionInlining.check(source, position, catalog, function);
    }

    /// Checks that no view becomes invalid by the column `name`, added to the table `path` between `before` and
    /// `after`. An unqualified name in a view may have become ambiguous, or may refer to the column.
    public static void checkAdded(
            SqlText source, Identifier name, String path, Catalog before, Catalog after) {
        int position = name.position();
        for (View view : before.queries()) {
            if (before.partition(view.id()) == null
                    && mentions(view, name.name())
                    && LargeStack.call(
                            Nesting.isDeep(new SqlText(view.query())),
                            () ->
                                    ViewDeparser.captures(
                                            view.query(),
                                            before.seenBy(view.path()),
                                            path,
                                            name.name()))) {
                throw captured(source, position, view, name.name());
            }
        }
        ViewReads reads = ViewReads.ofDefinitions();
        ViewReads readsBefore = ViewReads.ofDefinitions();
        for (View view : after.queries()) {
            SqlException lost = lost(source, after.seenBy(view.path()), view, reads);
            if (lost != null
                    && lost(source, before.seenBy(view.path()), view, readsBefore) == null) {
                throw losesMeaning(source, position, view, why(lost));
            }
        }
        for (Note body : bodies(after)) {
            SqlException lost = lost(source, after, body);
            if (lost != null && lost(source, before, body) == null) {
                throw source.error(
                        Kind.DEPENDENT,
                        position,
                        named(body)
                                + " would lose its meaning; drop that first, or choose another"
                                + " name: "
                                + why(lost));
            }
        }
    }

    /// The error that makes `view` invalid in `catalog`; null if it is valid.
    ///
    /// @param reads shared by all views checked in `catalog`
    private static @Nullable SqlException lost(
            SqlText source, Catalog catalog, View view, ViewReads reads) {
        try {
            BindContext around = BindContext.of(source, catalog, new ParameterTypes(0));
            BoundQuery bound = bind(around.reading(reads), view);
            Table stored = stored(catalog, view);
            return stored == null ? null : unlike(source, stored, bound.asTable());
        } catch (SqlException lost) {
            if (lost.kind() == Kind.CANCELLED || lost.kind() == Kind.TOO_COMPLEX) {
                throw lost;
            }
            return lost;
        }
    }

    /// The error that the columns of `stored`, the rows of a materialized view, differ from those of its query; null
    /// if they are alike.
    private static @Nullable SqlException unlike(
            SqlText source, Table stored, List<Column> columns) {
        for (int i = 0; i < columns.size(); i++) {
            Type kept = stored.columns().get(i).type();
            Type found = columns.get(i).type();
            if (!kept.equals(found)) {
                return source.error(
                        Kind.DEPENDENT,
                        0,
                        "Column \""
                                + columns.get(i).name()
                                + "\" of a materialized view is of type "
                                + kept
                                + ", not "
                                + found
                                + ": drop the view first");
            }
        }
        return null;
    }

    private static String why(SqlException lost) {
        return String.valueOf(lost.getMessage()).lines().findFirst().orElse("");
    }

    /// Checks that all expressions that `table` keeps are valid.
    public static void checkTable(SqlText source, int position, Table table) {
        for (Check check : table.constraints().checks()) {
            try {
                TableExpressions.check(table, check.expression());
            } catch (SqlException lost) {
                throw needed(source, position, "Constraint \"" + check.name() + "\"", lost);
            }
        }
        for (Column column : table.columns()) {
            String text =
                    switch (column.filling()) {
                        case ColumnDefault.Default value -> value.expression();
                        case ColumnDefault.Generated value -> value.expression();
                        case ColumnDefault.Identity identity -> null;
                        case null -> null;
                    };
            if (text == null) {
                continue;
            }
            try {
                TableExpressions.value(table, text, column);
            } catch (SqlException lost) {
                throw needed(source, position, "Column \"" + column.name() + "\"", lost);
            }
        }
        checkIndexes(source, position, table);
    }

    private static void checkIndexes(SqlText source, int position, Table table) {
        for (Index index : table.indexes()) {
            Index.Terms terms = index.terms();
            if (terms == null) {
                continue;
            }
            try {
                TableExpressions.terms(table, terms, table.columns().size());
            } catch (SqlException lost) {
                throw needed(source, position, "Index \"" + index.name() + "\"", lost);
            }
        }
    }

    private static SqlException needed(
            SqlText source, int position, String what, SqlException lost) {
        if (lost.kind() == Kind.CANCELLED) {
            return lost;
        }
        return source.error(
                Kind.DEPENDENT,
                position,
                what + " needs the old definition; change that first: " + why(lost));
    }
}
