package dev.oriel.sql.define;

import dev.oriel.sql.syntax.GraphElement;
import dev.oriel.sql.syntax.SchemaStatement;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Alteration;
import dev.oriel.sql.syntax.Statement.Definition;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.ConstraintException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Where in the text of a definition the things stand that it is about. The layer below knows them by their
/// names alone: what it refuses gets its place by these.
final class DefinitionPlaces {
    private final SqlText source;

    /// By a fact of an error, such as `constraint=c_fkey`; the first that an error has counts.
    private final Map<String, Integer> places = new LinkedHashMap<>();

    /// Of what has no other.
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
            case Statement.OfSchema change ->
                    switch (change.schema()) {
                        case SchemaStatement.Create create -> create.name().position();
                        case SchemaStatement.Drop drop -> drop.names().getFirst().position();
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

    /// `change` of a table is being made.
    void at(Alteration change) {
        otherwise =
                switch (change) {
                    case Alteration.AddColumn add -> add.column().name().position();
                    case Alteration.DropColumn drop -> drop.column().position();
                    case Alteration.RenameColumn rename -> rename.to().position();
                    case Alteration.RenameTo rename -> rename.to().position();
                    case Alteration.RenameConstraint rename -> rename.to().position();
                    case Alteration.ChangeType type -> type.column().position();
                    case Alteration.SetFilling set -> set.column().position();
                    case Alteration.SetNullable set -> set.column().position();
                    case Alteration.ChangeIdentity identity -> identity.column().position();
                    case Alteration.DropIdentity drop -> drop.column().position();
                    case Alteration.AddConstraint add -> position(add.constraint());
                    case Alteration.DropConstraint drop -> drop.constraint().position();
                };
    }

    /// Of its name, where it has one.
    static int position(Statement.TableConstraint constraint) {
        Identifier name = constraint.name();
        return name == null ? constraint.position() : name.position();
    }

    /// Says where the thing stands that an error calls by `fact`, a constraint or the like, and `name`: the last
    /// place of several counts, since that is one too many.
    void note(String fact, String name, int position) {
        places.put(" " + folded(fact + "=" + name) + " ", position);
    }

    private static String folded(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /// `failure` with its place; one that has one keeps it.
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
