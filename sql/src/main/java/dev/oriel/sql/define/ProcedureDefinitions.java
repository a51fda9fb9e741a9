package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.Views;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.syntax.FunctionStatement;
import dev.oriel.sql.syntax.FunctionStatement.Signature;
import dev.oriel.sql.syntax.ProcedureStatement;
import dev.oriel.sql.syntax.ProcedureStatement.Create;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.Procedure.Parameter;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs the statements about procedures.
final class ProcedureDefinitions {
    private final SqlText source;
    private final Execution execution;
    private final TableTransaction transaction;

    /// The definitions before the statement.
    private final Catalog former;

    private final Definitions definitions;

    ProcedureDefinitions(SqlText source, Execution execution, Definitions definitions) {
        this.source = source;
        this.execution = execution;
        this.transaction = execution.transaction();
        this.former = transaction.catalog();
        this.definitions = definitions;
    }

    void run(ProcedureStatement statement) {
        switch (statement) {
            case Create create -> create(create);
            case ProcedureStatement.Drop drop -> drop(drop);
            case ProcedureStatement.Comment comment -> {
                Procedure procedure = find(comment.procedure(), false);
                if (procedure != null) {
                    CommentDefinition.write(
                            transaction, procedure.id(), Comments.Subject.WHOLE, comment.text());
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
                    "Procedures are not temporary; create it in another schema");
        }
        String path = SearchPath.named(schema, name.name());
        Procedure before = catalog().procedure(path);
        if (!catalog().functions(path).isEmpty() || (before != null && !create.orReplace())) {
            throw source.error(
                    Kind.DUPLICATE_FUNCTION,
                    name.position(),
                    "There is a routine \""
                            + name.name()
                            + "\" already: choose another name, or drop it first");
        }
        List<String> searched = new ArrayList<>(catalog().current());
        searched.removeIf(Catalog::isTemporary);
        List<Parameter> parameters = new ArrayList<>();
        for (Parameter each : create.parameters()) {
            parameters.add(
                    new Parameter(
                            each.name(), each.mode(), Typing.plain(each.type()), each.otherwise()));
        }
        Procedure created =
                (Procedure)
                        transaction.create(
                                new Procedure(
                                        before == null ? 0 : before.id(),
                                        name.name(),
                                        schema,
                                        parameters,
                                        create.body(),
                                        searched));
        if (TriggerDefinitions.checksBodies(execution)) {
            var _ = execution.bodies().procedure(created, catalog()); // fails if it is not valid
        }
        if (before != null) {
            Views.check(source, name.position(), transaction, former, false);
        }
    }

    private void drop(ProcedureStatement.Drop drop) {
        for (Signature signature : drop.procedures()) {
            boolean function =
                    drop.functions()
                            && catalog().procedure(signature.name().path()) == null
                            && !catalog().functions(signature.name().path()).isEmpty();
            if (function) {
                new FunctionDefinitions(source, execution, definitions)
                        .run(
                                new FunctionStatement.Drop(
                                        drop.ifExists(), List.of(signature), drop.cascade()));
                continue;
            }
            Procedure procedure = find(signature, drop.ifExists());
            if (procedure != null) {
                transaction.drop(procedure);
            }
        }
        Views.check(source, drop.position(), transaction, former, drop.cascade());
    }

    @Nullable Procedure find(Signature signature, boolean ifExists) {
        Identifier name = signature.name();
        Procedure found = catalog().procedure(name.path());
        List<Type> types = signature.types();
        if (found != null && types != null && !fits(found, types)) {
            found = null;
        }
        if (found == null && !ifExists) {
            throw unknown(name, types != null);
        }
        return found;
    }

    private SqlException unknown(Identifier name, boolean typed) {
        List<String> names = catalog().procedures().stream().map(Procedure::name).toList();
        return source.error(
                Kind.UNKNOWN_FUNCTION,
                name.position(),
                "There is no procedure \""
                        + name.text()
                        + "\""
                        + (typed ? " with these parameters" : "")
                        + Nearest.hint(name.name(), names));
    }

    /// Whether `types` are the types of its parameters, or of its IN and INOUT ones alone.
    private static boolean fits(Procedure procedure, List<Type> types) {
        List<Type> plain = types.stream().map(Typing::plain).toList();
        List<Type> all = procedure.parameters().stream().map(Parameter::type).toList();
        List<Type> given =
                procedure.parameters().stream()
                        .filter(parameter -> parameter.mode().in())
                        .map(Parameter::type)
                        .toList();
        return plain.equals(all) || plain.equals(given);
    }
}
