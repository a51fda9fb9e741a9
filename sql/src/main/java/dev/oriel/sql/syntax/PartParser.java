package dev.oriel.sql.syntax;

import java.util.ArrayList;
import java.util.List;

/// Parses the part of a column that a change sets: `[1][2]`, `[1:2]` or `.name`, or several in a row.
final class PartParser {
    private final TokenReader tokens;
    private final ExpressionParser expressions;
    private final List<Step> steps = new ArrayList<>();

    /// Height of the highest subscript.
    private int below;

    private PartParser(TokenReader tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    /// One step into a value.
    private sealed interface Step {
        int position();

        /// `[1]`; JSON takes several at once.
        record Subscripts(int position, List<Expression> indexes) implements Step {}

        record Slice(int position, Expression first, Expression last) implements Step {}

        record Attribute(int position, Expression name) implements Step {}
    }

    /// The part of a value that a path leads to.
    ///
    /// @param height height of the highest subscript in it
    record Part(List<Step> steps, int height) {
        /// A call that returns `whole` with this part set to `value`.
        Expression set(Expression whole, Expression value) {
            return set(0, whole, value);
        }

        private Expression set(int from, Expression whole, Expression value) {
            Step step = steps.get(from);
            Expression part =
                    from == steps.size() - 1 ? value : set(from + 1, read(step, whole), value);
            List<Expression> arguments = new ArrayList<>(List.of(whole, part));
            Function function =
                    switch (step) {
                        case Step.Attribute attribute -> {
                            arguments.add(attribute.name);
                            yield Function.ASSIGNED_ATTRIBUTE;
                        }
                        case Step.Slice slice -> {
                            arguments.addAll(List.of(slice.first, slice.last));
                            yield Function.ASSIGNED_SLICE;
                        }
                        case Step.Subscripts subscripts -> {
                            arguments.addAll(subscripts.indexes);
                            yield Function.ASSIGNED;
                        }
                    };
            return new Expression.Call(step.position(), function.called(), List.copyOf(arguments));
        }

        private static Expression read(Step step, Expression whole) {
            return switch (step) {
                case Step.Attribute attribute ->
                        call(step, Function.ATTRIBUTE, List.of(whole, attribute.name));
                case Step.Slice slice ->
                        call(step, Function.ARRAY_SLICE, List.of(whole, slice.first, slice.last));
                case Step.Subscripts subscripts -> {
                    Expression read = whole;
                    for (Expression index : subscripts.indexes) {
                        read = call(step, Function.ARRAY_ELEMENT, List.of(read, index));
                    }
                    yield read;
                }
            };
        }

        private static Expression call(Step step, Function function, List<Expression> arguments) {
            return new Expression.Call(step.position(), function.called(), arguments);
        }
    }

    /// Whether a part of a column begins here.
    static boolean begins(TokenReader tokens) {
        return tokens.peek().isSymbol("[") || tokens.peek().isSymbol(".");
    }

    static Part part(TokenReader tokens, ExpressionParser expressions) {
        PartParser parser = new PartParser(tokens, expressions);
        while (begins(tokens)) {
            parser.step();
        }
        return new Part(List.copyOf(parser.steps), parser.below);
    }

    private void step() {
        int position = tokens.position();
        if (tokens.accept(".")) {
            Expression name =
                    new Expression.Literal(
                            position,
                            Expression.Literal.Kind.STRING,
                            tokens.name("an attribute name").name());
            steps.add(new Step.Attribute(position, name));
            return;
        }
        List<Expression> indexes = new ArrayList<>();
        while (tokens.accept("[")) {
            Expression first = tokens.peek().isSymbol(":") ? expressions.bound(1) : index();
            if (indexes.isEmpty() && tokens.accept(":")) {
                Expression last =
                        tokens.peek().isSymbol("]") ? expressions.bound(Long.MAX_VALUE) : index();
                tokens.expect("]");
                steps.add(new Step.Slice(position, first, last));
                return;
            }
            tokens.expect("]");
            indexes.add(first);
        }
        steps.add(new Step.Subscripts(position, List.copyOf(indexes)));
    }

    private Expression index() {
        Expression index = expressions.expression();
        below = Math.max(below, expressions.height());
        return index;
    }
}
