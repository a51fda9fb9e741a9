package dev.oriel.sql.define;

import dev.oriel.sql.syntax.Alteration;
import dev.oriel.sql.syntax.GraphElement;
import dev.oriel.sql.syntax.SchemaStatement;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Definition;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.TableConstraint;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.ConstraintException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Positions of named objects in the text of a definition. The layer below knows only their names; its errors get
/// their position from here.
final class DefinitionPlaces {
    private final SqlText source;

    /// Positions by a fact of an error, such as `constraint=c_fkey`; the first match in the error counts.
    private final Map<String, Integer> places = new LinkedHashMap<>();

    /// Position for all other errors.
    private int otherwise;

    DefinitionPlaces(SqlText source, Definition statement) {
        this.source = source;
        this.otherwise = position(statement);
        if (statement instanceof Statement.CreateGraph graph) {
            graph.vertices().forEach(this::note);
            graph.edges().forEach(this::note);
        }
    }

    private static int position(Definition statement) {
        return switch (statement) {
            case Statement.CreateTable create -> create.table().position();
            case Statement.CreateTableAs create -> create.table().position();
            case Statement.CreateExternal create -> create.table().position();
            case Statement.DropTable drop -> drop.tables().getFirst().position();
            case Statement.ReplaceTable both -> position(both.create());
            case Statement.AlterTable alter -> alter.table().position();
            case Statement.CreateIndex create -> create.place();
            case Statement.DropIndex drop -> drop.names().getFirst().position();
            case Statement.RenameIndex rename -> rename.to().position();
            case Statement.RenameView rename -> rename.to().position();
            case Statement.Truncate truncate -> truncate.tables().getFirst().position();
            case Statement.OfType type -> type.statement().position();
            case Statement.CreateSequence create -> create.name().position();
            case Statement.AlterSequence alter -> alter.name().position();
            case Statement.DropSequence drop -> drop.names().getFirst().position();
            case Statement.CreateView create -> create.name().position();
            case Statement.DropView drop -> drop.names().getFirst().position();
            case Statement.CommentOn comment -> comment.position();
            case Statement.CreateGraph create -> create.name().position();
            case Statement.DropGraph drop -> drop.name().position();
            case Statement.OfPartition part -> part.partition().name().position();
            case Statement.OfFunction function -> function.function().position();
            case Statement.OfProcedure procedure -> procedure.procedure().position();
            case Statement.OfTrigger trigger -> trigger.trigger().position();
            case Statement.OfMaterialized view -> view.statement().name().position();
            case Statement.OfSchema change ->
                    switch (change.schema()) {
                        case SchemaStatement.Create create -> create.name().position();
                        case SchemaStatement.Drop drop -> drop.names().getFirst().position();
                        case SchemaStatement.DropAll all -> all.position();
                        case SchemaStatement.Alter alter -> alter.name().position();
                        case SchemaStatement.Move move -> move.name().position();
                    };
        };
    }

    private void note(GraphElement element) {
        note("table", element.alias().name(), element.alias().position());
        note("table", element.table().name(), element.table().position());
        note("label", element.label().name(), element.label().position());
    }

    /// Sets the default position to `change`.
    void at(Alteration change) {
        otherwise =
                switch (change) {
                    case Alteration.AddColumn add -> add.column().name().position();
                    case Alteration.DropColumn drop -> drop.column().position();
                    case Alteration.RenameColumn rename -> rename.to().position();
                    case Alteration.RenameTo rename -> rename.to().position();
                    case Alteration.RenameConstraint rename -> rename.to().position();
                    case Alteration.ValidateConstraint validate -> validate.constraint().position();
                    case Alteration.TuneColumn tune -> tune.column().position();
                    case Alteration.ChangeType type -> type.column().position();
                    case Alteration.SetFilling set -> set.column().position();
                    case Alteration.SetUpdate set -> set.column().position();
                    case Alteration.FillNull fill -> fill.column().position();
                    case Alteration.DropExpression drop -> drop.column().position();
                    case Alteration.SetNullable set -> set.column().position();
                    case Alteration.IfColumnExists column -> column.column().position();
                    case Alteration.ChangeIdentity identity -> identity.column().position();
                    case Alteration.DropIdentity drop -> drop.column().position();
                    case Alteration.AttachPartition attach -> attach.partition().position();
                    case Alteration.DetachPartition detach -> detach.partition().position();
                    case Alteration.ChangeDeferral time -> time.constraint().position();
                    case Alteration.AddConstraint add -> position(add.constraint());
                    case Alteration.DropConstraint drop -> drop.constraint().position();
                };
    }

    /// Position of the constraint's name, or of the constraint if it has none.
    static int position(TableConstraint constraint) {
        Identifier name = constraint.name();
        return name == null ? constraint.position() : name.position();
    }

    /// Notes the position of an object, which errors call by `fact` (such as a constraint) and `name`. Of several
    /// positions the last counts: that is the duplicate.
    void note(String fact, String name, int position) {
        places.put(" " + folded(fact + "=" + name) + " ", position);
    }

    private static String folded(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /// `failure` with its position; an existing position is kept.
    ConstraintException placed(ConstraintException failure) {
        if (failure.position() >= 0) {
            return failure;
        }
        String facts = " " + folded(failure.context()) + " ";
        for (Map.Entry<String, Integer> place : places.entrySet()) {
            if (facts.contains(place.getKey())) {
                return source.error(failure, place.getValue());
            }
        }
        return source.error(failure, otherwise);
    }
}
