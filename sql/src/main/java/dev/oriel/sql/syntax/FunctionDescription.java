package dev.oriel.sql.syntax;

import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A built-in function, as users see it: one of its names with one of its signatures. [FunctionDescriptions] reads
/// them.
///
/// @param family name of the family in small letters
/// @param sentence its purpose
/// @param example a script whose last statement shows the function
/// @param answer the rows of the example
public record FunctionDescription(
        String name,
        Kind kind,
        String family,
        Signature signature,
        String sentence,
        String example,
        String answer) {
    /// Way of calling a function.
    public enum Kind {
        FUNCTION("function"),
        AGGREGATE("aggregate"),
        WINDOW("window function"),
        ROWS("table function");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }

        static Kind of(String family) {
            return switch (family) {
                case "aggregate" -> AGGREGATE;
                case "window" -> WINDOW;
                case "rows" -> ROWS;
                default -> FUNCTION;
            };
        }
    }

    /// Differences from an immutable function that is NULL if an argument is.
    public enum Trait {
        /// It returns the same value in a whole statement only.
        STABLE,
        /// It returns another value in each call, or has effects.
        VOLATILE,
        /// It may have a value although an argument is NULL.
        CALLED,
        /// An aggregate that keeps NULLs.
        NULLS,
        /// Its arguments have a syntax of their own, which the example shows.
        FORM,
        /// Called without parentheses.
        BARE,
        /// Called with a star as its only argument.
        STAR
    }

    /// Number of arguments for a parameter.
    public enum Count {
        ONE,
        OPTIONAL,
        REPEATED,
        /// One, behind ORDER BY.
        ORDER
    }

    /// An argument that a signature takes.
    ///
    /// @param typeName an SQL type, or a word for several types
    public record Parameter(String name, String typeName, Count count) {
        /// The type; null for a word that stands for several.
        public @Nullable Type type() {
            return FunctionDescription.type(typeName);
        }

        private String shown() {
            return switch (count) {
                case ONE -> name + " " + typeName;
                case OPTIONAL -> "[" + name + " " + typeName + "]";
                case REPEATED -> name + " " + typeName + "...";
                case ORDER -> "ORDER BY " + name + " " + typeName;
            };
        }
    }

    /// The types that a function takes and returns.
    ///
    /// @param result type of the result, or of each row
    /// @param columns of a result of rows with several columns
    public record Signature(
            List<Parameter> parameters,
            String result,
            boolean returnsSet,
            List<Parameter> columns,
            Set<Trait> traits) {
        public Signature {
            parameters = List.copyOf(parameters);
            columns = List.copyOf(columns);
            traits = Set.copyOf(traits);
        }

        public boolean has(Trait trait) {
            return traits.contains(trait);
        }

        /// Type of the result; null if it follows from the arguments.
        public @Nullable Type type() {
            return FunctionDescription.type(result);
        }

        /// The parameters in parentheses, as users read them.
        String shown() {
            if (has(Trait.BARE)) {
                return "";
            }
            if (has(Trait.STAR)) {
                return "(*)";
            }
            StringBuilder text = new StringBuilder("(");
            for (Parameter each : parameters) {
                boolean first = text.length() == 1;
                text.append(first ? "" : each.count == Count.ORDER ? " " : ", ");
                text.append(each.shown());
            }
            return text.append(')').toString();
        }
    }

    /// The call with names and types of its parameters; optional ones are in brackets.
    public String shown() {
        return name + signature.shown();
    }

    /// The result, as users read it.
    public String result() {
        return (signature.returnsSet() ? "setof " : "") + signature.result();
    }

    /// IMMUTABLE, STABLE or VOLATILE, in small letters.
    public String volatility() {
        return signature.has(Trait.VOLATILE)
                ? "volatile"
                : signature.has(Trait.STABLE) ? "stable" : "immutable";
    }

    /// The meaning of a NULL among the arguments; null if there are none.
    public @Nullable String nullRule() {
        return switch (kind) {
            case FUNCTION, WINDOW ->
                    !isStrict() ? "called" : signature.parameters().isEmpty() ? null : "strict";
            case ROWS -> "no rows";
            case AGGREGATE -> signature.has(Trait.NULLS) ? "keeps nulls" : "skips nulls";
        };
    }

    /// Whether it is NULL, or has no rows, if an argument is NULL.
    public boolean isStrict() {
        return kind != Kind.AGGREGATE && !signature.has(Trait.CALLED);
    }

    /// The signatures with one number of arguments each that this one stands for. A parameter that repeats stays
    /// one.
    public List<List<Parameter>> arities() {
        List<List<Parameter>> all = new ArrayList<>();
        List<Parameter> given = new ArrayList<>();
        for (Parameter each : signature.parameters()) {
            if (each.count() == Count.OPTIONAL) {
                all.add(List.copyOf(given));
            }
            given.add(each);
        }
        all.add(List.copyOf(given));
        return all;
    }

    private static @Nullable Type type(String name) {
        boolean several =
                switch (name.toLowerCase(Locale.ROOT)) {
                    case "any", "any[]", "number", "record", "enum", "enum[]" -> true;
                    default -> name.startsWith("table(");
                };
        return several ? null : new TypeParser(new TokenReader(new SqlText(name))).type();
    }
}
