package dev.oriel.sql.define;

import dev.oriel.sql.syntax.MaterializedStatement;
import dev.oriel.sql.syntax.SchemaStatement;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.TypeStatement;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.UserType;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.List;

/// The statements that drop everything, for DROP ALL OBJECTS of H2. Routines and sequences go last, by themselves.
final class AllObjects {
    private final int position;
    private final Catalog catalog;

    AllObjects(int position, Catalog catalog) {
        this.position = position;
        this.catalog = catalog;
    }

    /// Statements for what depends on nothing that remains, in order. An object may have gone by an earlier one.
    List<Statement.Definition> drops() {
        List<Statement.Definition> drops = new ArrayList<>();
        for (PropertyGraph graph : catalog.graphs()) {
            drops.add(new Statement.DropGraph(position, true, named("", graph.name())));
        }
        for (View view : catalog.views()) {
            if (catalog.partition(view.id()) == null) {
                List<Identifier> name = List.of(named(view.schema(), view.name()));
                drops.add(new Statement.DropView(position, true, name, true));
            }
        }
        for (Table table : catalog.tables()) {
            List<Identifier> name = List.of(named(table.schema(), table.name()));
            drops.add(
                    catalog.materialized(table.id()) == null
                            ? new Statement.DropTable(position, true, name, true)
                            : new Statement.OfMaterialized(
                                    position, new MaterializedStatement.Drop(true, name, true)));
        }
        catalog.externals()
                .forEach(table ->
                        drops.add(
                                new Statement.DropTable(
                                        position, true, List.of(named("", table.name())), true)));
        for (UserType type : catalog.userTypes()) {
            boolean domain = type instanceof DomainType;
            List<Identifier> name = List.of(new Identifier(position, type.name()));
            drops.add(
                    new Statement.OfType(
                            position,
                            new TypeStatement.DropTypes(position, domain, true, name, true)));
        }
        List<Identifier> schemas = new ArrayList<>();
        catalog.schemas().forEach(each -> schemas.add(new Identifier(position, each.name())));
        if (!schemas.isEmpty()) {
            drops.add(
                    new Statement.OfSchema(
                            position, new SchemaStatement.Drop(true, List.copyOf(schemas), true)));
        }
        return List.copyOf(drops);
    }

    private Identifier named(String schema, String name) {
        return new Identifier(position, name, schema.isEmpty() ? SearchPath.PUBLIC : schema);
    }
}
