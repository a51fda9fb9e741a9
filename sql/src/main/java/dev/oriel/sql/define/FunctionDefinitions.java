package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.Procedures;
import dev.oriel.sql.bind.SelectBinder;
import dev.oriel.sql.bind.Views;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.syntax.FromParser;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.syntax.FunctionStatement;
import dev.oriel.sql.syntax.FunctionStatement.Create;
import dev.oriel.sql.syntax.FunctionStatement.Drop;
import dev.oriel.sql.syntax.FunctionStatement.Signature;
import dev.oriel.sql.syntax.OtherFunctions;
import dev.oriel.sql.syntax.RowsFunction;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.TypeParser;
import dev.oriel.sql.syntax.WindowFunction;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.SqlFunction.Parameter;
import dev.oriel.table.definition.SqlFunction.Result;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Runs CREATE FUNCTION and DROP FUNCTION.
final class FunctionDefinitions {
    private final SqlText source;
    private final Execution execution;
    private final TableTransaction transaction;

    /// The definitions before the statement.
    private final Catalog former;

    private final Definitions definitions;

    FunctionDefinitions(SqlText source, Execution execution, Definitions definitions) {
        this.source = source;
        this.execution = execution;
        this.transaction = execution.transaction();
        this.former = transaction.catalog();
        this.definitions = definitions;
    }

    void run(FunctionStatement statement) {
        switch (statement) {
            case Create create -> create(create);
            case Drop drop -> drop(drop);
            case FunctionStatement.Alter alter -> alter(alter);
            case FunctionStatement.Comment comment -> {
                SqlFunction function = find(comment.function(), false);
                if (function != null) {
                    CommentDefinition.write(
                            transaction, function.id(), Comments.Subject.WHOLE, comment.text());
                }
            }
        }
    }

    private Catalog catalog() {
        return transaction.catalog();
    }

    private void create(Create create) {
        Identifier name = create.name();
        String schema = definitions.schema(name, false);
        if (Catalog.isTemporary(schema)) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    name.position(),
                    "Functions are not temporary; create it in another schema");
        } else if (isBuiltIn(name.name())) {
            throw source.error(
                    Kind.DUPLICATE_FUNCTION,
                    name.position(),
                    "\"" + name.name() + "\" is a function of SQL: choose another name");
        }
        if (catalog().procedure(SearchPath.named(schema, name.name())) != null) {
            throw source.error(
                    Kind.DUPLICATE_FUNCTION,
                    name.position(),
                    "There is a procedure \""
                            + name.name()
                            + "\" already: choose another name, or drop it first");
        }
        SqlFunction wanted = function(create, schema);
        if (wanted.runs() || Procedures.runs(wanted, catalog())) {
            wanted = running(create, wanted);
        }
        SqlFunction before = before(wanted);
        if (before != null) {
            checkReplaced(create, before, wanted);
            wanted = wanted.withId(before.id());
        }
        SqlFunction created = (SqlFunction) transaction.create(wanted);
        if (!created.runs() || TriggerDefinitions.checksBodies(execution)) {
            Views.checkFunction(source, name.position(), catalog(), created);
        }
        if (catalog().functions(SearchPath.named(schema, created.name())).size() > 1
                || before != null) {
            Views.check(source, name.position(), transaction, former, false);
        }
    }

    /// `wanted`, whose body runs statements.
    private SqlFunction running(Create create, SqlFunction wanted) {
        String state = null;
        if (wanted.traits().volatility() != SqlFunction.Volatility.VOLATILE) {
            state = "runs statements and is VOLATILE; write that";
        } else if (wanted.returnsSet()
                || wanted.result().size() != 1
                || wanted.type().name() == Type.Name.COMPOSITE) {
            state =
                    "runs statements and returns one value or VOID; return rows by a query, or"
                            + " write a procedure";
        }
        if (state != null) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    create.name().position(),
                    "Function \"" + wanted.name() + "\" " + state);
        }
        return wanted.runs() ? wanted : wanted.with(SqlFunction.Effect.VALUE);
    }

    static boolean isBuiltIn(String name) {
        return Function.of(name) != null
                || AggregateFunction.of(name) != null
                || WindowFunction.of(name) != null
                || RowsFunction.of(name) != null
                || FromParser.isSeries(name)
                || name.equalsIgnoreCase("GROUPING")
                || OtherFunctions.is(name)
                || TypeParser.isName(name);
    }

    private SqlFunction function(Create create, String schema) {
        List<Parameter> parameters = new ArrayList<>();
        for (FunctionStatement.Parameter each : create.parameters()) {
            parameters.add(new Parameter(each.name(), Typing.plain(each.type()), each.otherwise()));
        }
        List<String> path = new ArrayList<>(catalog().current());
        path.removeIf(Catalog::isTemporary);
        return new SqlFunction(
                0,
                create.name().name(),
                schema,
                parameters,
                result(create.result()),
                create.result().set(),
                create.body(),
                create.traits(),
                path);
    }

    private List<Result> result(FunctionStatement.Result written) {
        List<Result> result = new ArrayList<>();
        Identifier name = written.table();
        if (name == null) {
            Type type = written.columns().getFirst().type();
            boolean single = written.columns().getFirst().name().isEmpty();
            if (single && written.set() && type.name() == Type.Name.COMPOSITE) {
                for (CompositeType.Attribute each : type.composite().attributes()) {
                    result.add(new Result(each.name(), each.type()));
                }
                return result;
            }
            written.columns()
                    .forEach(
                            each -> result.add(new Result(each.name(), Typing.plain(each.type()))));
            return result;
        }
        if (catalog().table(name.path()) == null) {
            throw source.error(
                    Kind.UNKNOWN_OBJECT,
                    name.position(),
                    "There is no type \"" + name.text() + "\", and no table of this name");
        }
        Table table = SelectBinder.table(source, catalog(), name);
        if (!written.set()) {
            result.add(
                    new Result(
                            "", Type.of(CompositeType.ofColumns(table.name(), table.columns()))));
            return result;
        }
        for (Column column : table.columns()) {
            Type type = column.type();
            if ((type.element() == null ? type : type.element()).user() != null) {
                throw source.error(
                        Kind.NOT_SUPPORTED,
                        name.position(),
                        "Column \""
                                + column.name()
                                + "\" has a type of your own; name the columns in RETURNS TABLE"
                                + " (...) with built-in types");
            }
            result.add(new Result(column.name(), type));
        }
        return result;
    }

    /// The function that `wanted` would replace: it has the same name, schema and number of parameters.
    private @Nullable SqlFunction before(SqlFunction wanted) {
        int count = wanted.parameters().size();
        for (SqlFunction each :
                catalog().functions(SearchPath.named(wanted.schema(), wanted.name()))) {
            if (each.parameters().size() == count) {
                return each;
            }
        }
        return null;
    }

    private void checkReplaced(Create create, SqlFunction before, SqlFunction wanted) {
        int position = create.name().position();
        if (!types(before).equals(types(wanted))) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    "There is a function \""
                            + before.name()
                            + "\" with as many parameters of other types: choose another name, or"
                            + " drop it");
        } else if (!create.orReplace()) {
            throw source.error(
                    Kind.DUPLICATE_FUNCTION,
                    position,
                    "There is a function \""
                            + before.name()
                            + "\" with these parameters already: write CREATE OR REPLACE, or choose"
                            + " another name");
        } else if (!before.result().equals(wanted.result())
                || before.returnsSet() != wanted.returnsSet()
                || (before.traits().effect() == SqlFunction.Effect.VOID)
                        != (wanted.traits().effect() == SqlFunction.Effect.VOID)) {
            throw source.error(
                    Kind.FUNCTION_DEFINITION,
                    position,
                    "Function \""
                            + before.name()
                            + "\" returns something else so far; keep its result, or drop it"
                            + " first");
        }
        for (int i = 0; i < wanted.parameters().size(); i++) {
            Parameter was = before.parameters().get(i);
            Parameter is = wanted.parameters().get(i);
            boolean renamed = !was.name().isEmpty() && !was.name().equalsIgnoreCase(is.name());
            if (renamed || (was.otherwise() != null && is.otherwise() == null)) {
                throw source.error(
                        Kind.FUNCTION_DEFINITION,
                        position,
                        "Parameter "
                                + (i + 1)
                                + " keeps its name and its default when a function is replaced;"
                                + " drop the function first");
            }
        }
    }

    private static List<Type> types(SqlFunction function) {
        return function.parameters().stream().map(Parameter::type).toList();
    }

    private void drop(Drop drop) {
        Set<SqlFunction> functions = new LinkedHashSet<>();
        for (Signature signature : drop.functions()) {
            SqlFunction function = find(signature, drop.ifExists());
            if (function != null) {
                functions.add(function);
            }
        }
        functions.forEach(transaction::drop);
        Views.check(source, drop.position(), transaction, former, drop.cascade());
    }

    private void alter(FunctionStatement.Alter alter) {
        Identifier name = alter.routine().name();
        boolean procedure =
                alter.kind() == FunctionStatement.Kind.PROCEDURE
                        || (alter.kind() == FunctionStatement.Kind.ROUTINE
                                && catalog().procedure(name.path()) != null);
        RoutineAlterations alterations = new RoutineAlterations(source, transaction);
        if (procedure) {
            Procedure found =
                    new ProcedureDefinitions(source, execution, definitions)
                            .find(alter.routine(), false);
            if (found != null) {
                alterations.alter(found, alter);
            }
            return;
        }
        SqlFunction found = find(alter.routine(), false);
        if (found != null) {
            alterations.alter(found, alter);
        }
    }

    private @Nullable SqlFunction find(Signature signature, boolean ifExists) {
        Identifier name = signature.name();
        List<Type> types = signature.types();
        List<SqlFunction> found = new ArrayList<>();
        for (SqlFunction each : catalog().functions(name.path())) {
            if (types == null || types(each).equals(types.stream().map(Typing::plain).toList())) {
                found.add(each);
            }
        }
        if (found.size() > 1) {
            throw source.error(
                    Kind.AMBIGUOUS_FUNCTION,
                    name.position(),
                    "There are several functions \""
                            + name.text()
                            + "\": write the types of the parameters");
        }
        if (found.isEmpty() && !ifExists) {
            List<String> names = catalog().functions().stream().map(SqlFunction::name).toList();
            throw source.error(
                    Kind.UNKNOWN_FUNCTION,
                    name.position(),
                    "There is no function \""
                            + name.text()
                            + "\""
                            + (types == null
                                    ? Nearest.hint(name.name(), names)
                                    : " with these parameters"));
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    /// `failure`, or a clear error if a definition of a table calls a function of SQL, which it cannot do.
    static SqlException inTable(
            SqlText source, Statement.Definition statement, Catalog catalog, SqlException failure) {
        boolean keeps =
                statement instanceof Statement.CreateTable
                        || statement instanceof Statement.AlterTable
                        || statement instanceof Statement.CreateIndex
                        || statement instanceof Statement.OfType;
        if (!keeps || failure.kind() != Kind.UNKNOWN_FUNCTION) {
            return failure;
        }
        for (Token token : Lexer.tokens(source)) {
            if (token.position() == failure.position()
                    && token.isName()
                    && !catalog.functions(token.text()).isEmpty()) {
                return source.error(
                        Kind.NOT_SUPPORTED,
                        token.position(),
                        "Function \""
                                + token.text()
                                + "\" stands in queries only: defaults, checks, generated columns"
                                + " and indexes call built-in functions; write its expression"
                                + " there");
            }
        }
        return failure;
    }
}
