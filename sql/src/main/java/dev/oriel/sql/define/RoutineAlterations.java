package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.Views;
import dev.oriel.sql.syntax.FunctionStatement;
import dev.oriel.sql.syntax.FunctionStatement.Change;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.SqlFunction.Traits;
import dev.oriel.table.definition.SqlFunction.Volatility;
import org.jspecify.annotations.Nullable;

/// Runs ALTER FUNCTION, PROCEDURE and ROUTINE.
final class RoutineAlterations {
    private final SqlText source;
    private final TableTransaction transaction;
    private final Catalog former;

    RoutineAlterations(SqlText source, TableTransaction transaction) {
        this.source = source;
        this.transaction = transaction;
        this.former = transaction.catalog();
    }

    void alter(SqlFunction function, FunctionStatement.Alter alter) {
        int position = alter.routine().name().position();
        switch (alter.change()) {
            case Change.Nothing _ -> {
                return;
            }
            case Change.Promises promises ->
                    transaction.create(function.with(traits(function, promises, position)));
            case Change.Rename rename -> {
                String name = rename.to().name();
                if (FunctionDefinitions.isBuiltIn(name)) {
                    throw source.error(
                            Kind.DUPLICATE_FUNCTION,
                            rename.to().position(),
                            "\"" + name + "\" is a function of SQL: choose another name");
                }
                SqlFunction renamed = function.withName(name);
                checkFree(renamed, rename.to());
                transaction.create(renamed);
            }
            case Change.Move move -> {
                SqlFunction moved = function.withSchema(schema(move.to()));
                checkFree(moved, move.to());
                transaction.create(moved);
            }
        }
        Views.check(source, position, transaction, former, false);
    }

    void alter(Procedure procedure, FunctionStatement.Alter alter) {
        int position = alter.routine().name().position();
        switch (alter.change()) {
            case Change.Nothing _ -> {
                return;
            }
            case Change.Promises _ ->
                    throw source.error(
                            Kind.WRONG_OBJECT,
                            position,
                            "\""
                                    + procedure.name()
                                    + "\" is a procedure, which has no volatility and is never"
                                    + " STRICT");
            case Change.Rename rename -> {
                Procedure renamed = procedure.withName(rename.to().name());
                checkFree(renamed, rename.to());
                transaction.create(renamed);
            }
            case Change.Move move -> {
                Procedure moved = procedure.withSchema(schema(move.to()));
                checkFree(moved, move.to());
                transaction.create(moved);
            }
        }
        Views.check(source, position, transaction, former, false);
    }

    private Traits traits(SqlFunction function, Change.Promises promises, int position) {
        Traits before = function.traits();
        Boolean strict = promises.strict();
        Volatility volatility = promises.volatility();
        if (function.runs() && volatility != null && volatility != Volatility.VOLATILE) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    "Function \"" + function.name() + "\" runs statements and stays VOLATILE");
        }
        return new Traits(
                strict == null ? before.strict() : strict,
                volatility == null ? before.volatility() : volatility,
                before.effect());
    }

    private String schema(Identifier name) {
        String schema = former.schema(name.name());
        if (schema == null) {
            throw SchemaDefinitions.unknown(source, former, name);
        } else if (Catalog.isTemporary(schema)) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    name.position(),
                    "Functions and procedures are not temporary; choose another schema");
        }
        return schema;
    }

    private void checkFree(SqlFunction wanted, Identifier place) {
        String path = SearchPath.named(wanted.schema(), wanted.name());
        boolean taken = isTaken(former.procedure(path), 0);
        for (SqlFunction each : former.functions(path)) {
            taken |=
                    each.id() != wanted.id()
                            && each.parameters().size() == wanted.parameters().size();
        }
        if (taken) {
            throw taken(place, wanted.name());
        }
    }

    private void checkFree(Procedure wanted, Identifier place) {
        String path = SearchPath.named(wanted.schema(), wanted.name());
        if (isTaken(former.procedure(path), wanted.id()) || !former.functions(path).isEmpty()) {
            throw taken(place, wanted.name());
        }
    }

    private static boolean isTaken(@Nullable Procedure found, long own) {
        return found != null && found.id() != own;
    }

    private SqlException taken(Identifier place, String name) {
        return source.error(
                Kind.DUPLICATE_FUNCTION,
                place.position(),
                "There is a routine \""
                        + name
                        + "\" already: choose another name, or drop it first");
    }
}
