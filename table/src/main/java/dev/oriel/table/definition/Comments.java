package dev.oriel.table.definition;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Comments of users on a table, a view or a sequence and its parts.
///
/// @param of number of the definition
/// @param texts never empty ones
public record Comments(long id, long of, Map<Subject, String> texts) implements Note {
    public Comments {
        texts = Map.copyOf(texts);
    }

    /// Subject of a text.
    ///
    /// @param name of the column, index or constraint in upper case; empty for the whole
    public record Subject(Part part, String name) {
        /// The whole definition.
        public static final Subject WHOLE = new Subject(Part.WHOLE, "");

        public static Subject column(String name) {
            return new Subject(Part.COLUMN, Names.folded(name));
        }

        public static Subject index(String name) {
            return new Subject(Part.INDEX, Names.folded(name));
        }

        public static Subject constraint(String name) {
            return new Subject(Part.CONSTRAINT, Names.folded(name));
        }
    }

    /// Kinds of subjects.
    public enum Part {
        WHOLE,
        COLUMN,
        INDEX,
        CONSTRAINT
    }

    /// No comments yet on the definition of number `of`.
    public static Comments none(long of) {
        return new Comments(0, of, Map.of());
    }

    /// The text about `subject`, or null.
    public @Nullable String text(Subject subject) {
        return texts.get(subject);
    }

    /// These comments with another text about `subject`; null for none.
    public Comments with(Subject subject, @Nullable String text) {
        Map<Subject, String> changed = new LinkedHashMap<>(texts);
        if (text == null || text.isEmpty()) {
            changed.remove(subject);
        } else {
            changed.put(subject, text);
        }
        return new Comments(id, of, changed);
    }

    @Override
    public Comments withId(long other) {
        return new Comments(other, of, texts);
    }

    /// The same comments on the definition of number `other`.
    public Comments about(long other) {
        return new Comments(0, other, texts);
    }

    /// These comments after table `before` has become `after`: columns, indexes and constraints keep their texts under
    /// new names, and lose them if they are dropped.
    ///
    /// @param moved for each old column its new position, or -1; null if all stay
    public Comments moved(Table before, Table after, int @Nullable [] moved) {
        Map<Subject, String> kept = new LinkedHashMap<>();
        for (Map.Entry<Subject, String> entry : texts.entrySet()) {
            Subject subject = entry.getKey();
            Subject now =
                    switch (subject.part()) {
                        case WHOLE -> subject;
                        case COLUMN -> {
                            int was = before.column(subject.name());
                            int at = was < 0 || moved == null ? was : moved[was];
                            yield at < 0 || at >= after.columns().size()
                                    ? null
                                    : Subject.column(after.columns().get(at).name());
                        }
                        case INDEX -> {
                            int at = index(before, subject.name());
                            boolean same = before.indexes().size() == after.indexes().size();
                            yield at >= 0 && same
                                    ? Subject.index(after.indexes().get(at).name())
                                    : index(after, subject.name()) >= 0 ? subject : null;
                        }
                        case CONSTRAINT -> {
                            List<String> was = constraints(before);
                            List<String> is = constraints(after);
                            int at = was.indexOf(subject.name());
                            yield at >= 0 && was.size() == is.size()
                                    ? Subject.constraint(is.get(at))
                                    : is.contains(subject.name()) ? subject : null;
                        }
                    };
            if (now != null) {
                kept.put(now, entry.getValue());
            }
        }
        return new Comments(id, of, kept);
    }

    /// Names of the constraints of `table` in upper case.
    private static List<String> constraints(Table table) {
        List<String> names = new ArrayList<>();
        Constraints constraints = table.constraints();
        if (!table.primaryKey().isEmpty()) {
            String own = constraints.primaryKey();
            names.add(own.isEmpty() ? table.name() + "_pkey" : own);
        }
        for (Index index : table.indexes()) {
            if (index.constraint()) {
                names.add(index.name());
            }
        }
        constraints.declared().forEach(check -> names.add(check.name()));
        constraints.foreignKeys().forEach(key -> names.add(key.name()));
        names.replaceAll(Names::folded);
        return names;
    }

    private static int index(Table table, String name) {
        for (int i = 0; i < table.indexes().size(); i++) {
            if (table.indexes().get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }
}
