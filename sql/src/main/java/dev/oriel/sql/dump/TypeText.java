package dev.oriel.sql.dump;

import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.UserType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Types, and the statements that define them.
final class TypeText {
    private TypeText() {}

    /// `type` as a column declares it.
    static String of(Type type) {
        if (type.user() != null) {
            return NameText.of(type.user().name());
        }
        return type.element() == null ? type.toString() : of(type.element()) + "[]";
    }

    /// `types` with each after those that it is made of.
    static List<UserType> ordered(Collection<UserType> types) {
        Map<Long, UserType> known = new LinkedHashMap<>();
        types.forEach(type -> known.put(type.id(), type));
        Map<Long, UserType> ordered = new LinkedHashMap<>();
        types.forEach(type -> add(type, known, ordered));
        return new ArrayList<>(ordered.values());
    }

    private static void add(UserType type, Map<Long, UserType> known, Map<Long, UserType> ordered) {
        if (ordered.containsKey(type.id())) {
            return;
        }
        for (Type part : parts(type)) {
            Type single = part.element() == null ? part : part.element();
            UserType below = single.user() == null ? null : known.get(single.user().id());
            if (below != null) {
                add(below, known, ordered);
            }
        }
        ordered.put(type.id(), type);
    }

    private static List<Type> parts(UserType type) {
        return switch (type) {
            case EnumType _ -> List.of();
            case DomainType domain -> List.of(domain.base());
            case CompositeType composite ->
                    composite.attributes().stream().map(CompositeType.Attribute::type).toList();
        };
    }

    static String definition(UserType type) {
        String name = NameText.of(type.name());
        return switch (type) {
            case EnumType labels ->
                    "CREATE TYPE "
                            + name
                            + " AS ENUM ("
                            + String.join(
                                    ", ",
                                    labels.labels().stream()
                                            .map(label -> NameText.literal(label.text()))
                                            .toList())
                            + ")";
            case CompositeType composite ->
                    "CREATE TYPE "
                            + name
                            + " AS ("
                            + String.join(
                                    ", ",
                                    composite.attributes().stream()
                                            .map(each ->
                                                    NameText.of(each.name())
                                                            + " "
                                                            + of(each.type()))
                                            .toList())
                            + ")";
            case DomainType domain ->
                    "CREATE DOMAIN " + name + " AS " + of(domain.base()) + rules(domain);
        };
    }

    private static String rules(DomainType domain) {
        StringBuilder rules = new StringBuilder();
        if (domain.filling() != null) {
            rules.append(" DEFAULT ").append(domain.filling());
        }
        if (domain.required()) {
            rules.append(" NOT NULL");
        }
        for (Check check : domain.checks()) {
            rules.append(" CONSTRAINT ")
                    .append(NameText.of(check.name()))
                    .append(" CHECK (")
                    .append(check.expression())
                    .append(")");
        }
        return rules.toString();
    }
}
