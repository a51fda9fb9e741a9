package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.FunctionStatement.Parameter;
import dev.oriel.sql.syntax.FunctionStatement.Result;
import dev.oriel.sql.syntax.FunctionStatement.Signature;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.SqlFunction.Body;
import dev.oriel.table.definition.SqlFunction.Effect;
import dev.oriel.table.definition.SqlFunction.Form;
import dev.oriel.table.definition.SqlFunction.Traits;
import dev.oriel.table.definition.SqlFunction.Volatility;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses CREATE FUNCTION and DROP FUNCTION.
final class FunctionParser {
    /// Words that may follow the first word of a type.
    private static final Set<String> IN_TYPES =
            Set.of(
                    "PRECISION",
                    "VARYING",
                    "LARGE",
                    "CHARACTER",
                    "CHAR",
                    "WITH",
                    "WITHOUT",
                    "ARRAY",
                    "YEAR",
                    "MONTH",
                    "DAY",
                    "HOUR",
                    "MINUTE",
                    "SECOND",
                    "DEFAULT",
                    "COLLATE");

    private final TokenReader tokens;
    private final ExpressionParser expressions;

    private Effect effect = Effect.NONE;
    private boolean strict;
    private Volatility volatility = Volatility.VOLATILE;
    private @Nullable Body body;
    private int start;
    private boolean language;

    /// The OUT parameters of CREATE.
    private final List<SqlFunction.Result> outputs = new ArrayList<>();

    FunctionParser(TokenReader tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    /// Parses the rest of CREATE [OR REPLACE] FUNCTION.
    FunctionStatement.Create create(boolean replace) {
        Identifier name = tokens.relation("a function name");
        List<Parameter> parameters = parameters();
        Result result = outputs.isEmpty() ? result() : resultOfOutputs();
        while (option()) {
            // The next one.
        }
        if (body == null && atReturn()) {
            returned();
        } else if (body == null && tokens.accept(Keyword.BEGIN)) {
            atomic();
        }
        Body found = body;
        if (found == null) {
            tokens.expected("AS");
            tokens.expected("RETURN");
            tokens.expected("BEGIN ATOMIC");
            throw tokens.unexpected();
        }
        if (found.form() == Form.STRING && !language) {
            throw tokens.error(
                    Kind.FUNCTION_DEFINITION,
                    name.position(),
                    "The function has no language; write LANGUAGE SQL");
        }
        return new FunctionStatement.Create(
                replace,
                name,
                parameters,
                result,
                new Traits(strict, volatility, effect),
                found,
                start);
    }

    /// Parses the rest of ALTER FUNCTION, PROCEDURE or ROUTINE.
    FunctionStatement.Alter alter(FunctionStatement.Kind kind) {
        return new FunctionStatement.Alter(kind, signature(), change());
    }

    private FunctionStatement.Change change() {
        if (Roles.passOwner(tokens)) {
            return new FunctionStatement.Change.Nothing();
        } else if (tokens.acceptWord("RENAME")) {
            tokens.expect(Keyword.TO);
            return new FunctionStatement.Change.Rename(tokens.name("a name"));
        } else if (tokens.peek().is(Keyword.SET) && tokens.atWord(1, "SCHEMA")) {
            tokens.take();
            tokens.take();
            return new FunctionStatement.Change.Move(tokens.name("a schema name"));
        }
        tokens.expected("RENAME");
        Boolean nulls = null;
        Volatility kept = null;
        boolean any = false;
        while (!tokens.peek().is(Keyword.AS) && !tokens.atWord(0, "LANGUAGE")) {
            boolean promises = isVolatility();
            boolean decides = !promises && isNullRule();
            if (!option()) {
                break;
            }
            any = true;
            kept = promises ? volatility : kept;
            nulls = decides ? (Boolean) strict : nulls;
        }
        if (!any) {
            tokens.expected("a property of a function");
            throw tokens.unexpected();
        }
        tokens.acceptWord("RESTRICT");
        return new FunctionStatement.Change.Promises(nulls, kept);
    }

    private boolean isVolatility() {
        return tokens.atWord(0, "IMMUTABLE")
                || tokens.atWord(0, "STABLE")
                || tokens.atWord(0, "VOLATILE");
    }

    private boolean isNullRule() {
        return tokens.atWord(0, "STRICT")
                || tokens.atWord(0, "CALLED")
                || tokens.atWord(0, "RETURNS");
    }

    /// Parses the rest of CREATE [OR REPLACE] PROCEDURE.
    ProcedureStatement.Create createProcedure(boolean replace) {
        Identifier name = tokens.relation("a procedure name");
        List<Procedure.Parameter> parameters = new ArrayList<>();
        if (tokens.accept("(") && !tokens.accept(")")) {
            do {
                parameters.add(procedureParameter(parameters));
            } while (tokens.accept(","));
            tokens.expect(")");
        }
        while (option() || dataAccess()) {
            // The next one.
        }
        if (body == null && tokens.accept(Keyword.BEGIN)) {
            atomic();
        }
        Body found = body;
        if (found == null) {
            tokens.expected("AS");
            tokens.expected("BEGIN ATOMIC");
            throw tokens.unexpected();
        } else if (found.form() == Form.STRING && !language) {
            throw tokens.error(
                    Kind.FUNCTION_DEFINITION,
                    name.position(),
                    "The procedure has no language; write LANGUAGE SQL");
        }
        return new ProcedureStatement.Create(replace, name, List.copyOf(parameters), found);
    }

    /// Accepts MODIFIES SQL DATA and the like, which the body tells by itself.
    private boolean dataAccess() {
        boolean begins =
                tokens.acceptWord("MODIFIES")
                        || tokens.acceptWord("READS")
                        || tokens.acceptWord("CONTAINS");
        if (begins) {
            tokens.expectWord("SQL");
            tokens.acceptWord("DATA");
        }
        return begins;
    }

    private Procedure.Parameter procedureParameter(List<Procedure.Parameter> before) {
        Mode mode = mode(Mode.IN);
        int position = tokens.position();
        String name = beginsWithName() ? tokens.name("a parameter name").name() : "";
        mode = mode == Mode.IN ? mode(mode) : mode;
        Type type = type();
        Type single = type.element() == null ? type : type.element();
        if (single.user() != null) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    "Parameters of procedures are of built-in types; cast where it is called");
        }
        if (!name.isEmpty() && before.stream().anyMatch(p -> p.name().equalsIgnoreCase(name))) {
            throw tokens.error(
                    Kind.FUNCTION_DEFINITION,
                    position,
                    "Two parameters are called \"" + name + "\": give one of them another name");
        }
        String otherwise = null;
        if (tokens.acceptWord("DEFAULT") || tokens.accept("=")) {
            otherwise = expression();
        } else if (!before.isEmpty() && before.getLast().otherwise() != null) {
            throw tokens.error(
                    Kind.FUNCTION_DEFINITION,
                    position,
                    "A parameter without a default follows one with a default; give it one too");
        }
        return new Procedure.Parameter(
                name,
                switch (mode) {
                    case IN -> Procedure.Mode.IN;
                    case INOUT -> Procedure.Mode.INOUT;
                    case OUT -> Procedure.Mode.OUT;
                },
                type,
                otherwise);
    }

    private List<Parameter> parameters() {
        List<Parameter> parameters = new ArrayList<>();
        tokens.expect("(");
        if (!tokens.accept(")")) {
            do {
                addParameter(parameters);
            } while (tokens.accept(","));
            tokens.expect(")");
        }
        return List.copyOf(parameters);
    }

    /// Parses a parameter: adds an IN or INOUT one to `parameters`, and notes an OUT or INOUT one as an output.
    private void addParameter(List<Parameter> parameters) {
        Mode mode = mode(Mode.IN);
        int position = tokens.position();
        String name = beginsWithName() ? tokens.name("a parameter name").name() : "";
        mode = mode == Mode.IN ? mode(mode) : mode;
        Type type = type();
        if (mode != Mode.IN) {
            String called = name.isEmpty() ? "column" + (outputs.size() + 1) : name;
            outputs.add(new SqlFunction.Result(called, type));
        }
        if (mode != Mode.OUT) {
            parameters.add(parameter(position, name, type, parameters));
        }
    }

    private Parameter parameter(int position, String name, Type type, List<Parameter> before) {
        String otherwise = null;
        if (tokens.acceptWord("DEFAULT") || tokens.accept("=")) {
            otherwise = expression();
        } else if (!before.isEmpty() && before.getLast().otherwise() != null) {
            throw tokens.error(
                    Kind.FUNCTION_DEFINITION,
                    position,
                    "A parameter without a default follows one with a default; give it one too");
        }
        if (!name.isEmpty() && before.stream().anyMatch(p -> p.name().equalsIgnoreCase(name))) {
            throw tokens.error(
                    Kind.FUNCTION_DEFINITION,
                    position,
                    "Two parameters are called \"" + name + "\": give one of them another name");
        }
        return new Parameter(position, name, type, otherwise);
    }

    private String expression() {
        int from = tokens.position();
        int before = expressions.parameters();
        expressions.expression();
        if (expressions.parameters() > before) {
            throw tokens.error(Kind.SYNTAX, from, "A definition cannot have parameters");
        }
        return tokens.textFrom(from);
    }

    private enum Mode {
        IN,
        OUT,
        INOUT
    }

    /// Accepts the mode of a parameter, `otherwise` if it has none.
    private Mode mode(Mode otherwise) {
        if (tokens.peek(1).isSymbol(",") || tokens.peek(1).isSymbol(")")) {
            return otherwise;
        } else if (tokens.acceptWord("OUT")) {
            return Mode.OUT;
        } else if (tokens.acceptWord("INOUT")) {
            return Mode.INOUT;
        } else if (tokens.atWord(0, "VARIADIC")) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    tokens.position(),
                    "A function has a fixed number of parameters; take an array instead of"
                            + " VARIADIC");
        }
        if (!tokens.accept(Keyword.IN)) {
            return otherwise;
        }
        return tokens.acceptWord("OUT") ? Mode.INOUT : Mode.IN;
    }

    /// The result of a function with OUT parameters: the type after RETURNS repeats it.
    private Result resultOfOutputs() {
        int position = tokens.position();
        boolean set = false;
        if (tokens.acceptWord("RETURNS")) {
            set = tokens.acceptWord("SETOF");
            boolean single = outputs.size() == 1;
            int written = tokens.position();
            boolean fits =
                    single ? type().equals(outputs.getFirst().type()) : tokens.acceptWord("RECORD");
            if (!fits) {
                throw tokens.error(
                        Kind.FUNCTION_DEFINITION,
                        written,
                        "The type after RETURNS differs from the OUT parameters; leave RETURNS out");
            }
        }
        if (set || outputs.size() == 1) {
            return new Result(position, set, List.copyOf(outputs), null);
        }
        List<CompositeType.Attribute> attributes = new ArrayList<>();
        for (SqlFunction.Result output : outputs) {
            attributes.add(new CompositeType.Attribute(output.name(), output.type()));
        }
        Type row = Type.of(new CompositeType(0, CompositeType.RECORD, attributes));
        return new Result(position, false, List.of(new SqlFunction.Result("", row)), null);
    }

    /// Whether a name precedes the type of a parameter or column.
    private boolean beginsWithName() {
        Token next = tokens.peek(1);
        boolean word = next.kind() == Token.Kind.WORD || next.kind() == Token.Kind.QUOTED;
        return tokens.peek().isName()
                && word
                && !IN_TYPES.contains(next.text().toUpperCase(Locale.ROOT));
    }

    private Type type() {
        int position = tokens.position();
        Type type = new TypeParser(tokens).type();
        Type single = type.element() == null ? type : type.element();
        if (single.user() != null && !(single.user() instanceof CompositeType)) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    "Parameters and results of functions are of built-in or composite types; cast to"
                            + " another type of your own where the function is called");
        }
        return type;
    }

    private Result result() {
        int position = tokens.position();
        if (!tokens.acceptWord("RETURNS")) {
            throw tokens.error(
                    Kind.FUNCTION_DEFINITION,
                    position,
                    "The function has no result; write RETURNS and a type");
        }
        position = tokens.position();
        if (tokens.accept(Keyword.TABLE)) {
            List<SqlFunction.Result> columns = new ArrayList<>();
            tokens.expect("(");
            do {
                String name = tokens.name("a column name").name();
                columns.add(new SqlFunction.Result(name, type()));
            } while (tokens.accept(","));
            tokens.expect(")");
            return new Result(position, true, List.copyOf(columns), null);
        }
        boolean set = tokens.acceptWord("SETOF");
        if (tokens.atWord(0, "TRIGGER")) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    tokens.position(),
                    "Triggers have no functions of their own; write the statements in CREATE TRIGGER,"
                            + " with BEGIN ATOMIC and END around them");
        }
        if (!set && tokens.acceptWord("VOID")) {
            effect = Effect.VOID;
            return new Result(
                    position,
                    false,
                    List.of(new SqlFunction.Result("", Type.of(Type.Name.VARCHAR))),
                    null);
        }
        for (String other : List.of("VOID", "RECORD")) {
            if (tokens.atWord(0, other)) {
                throw tokens.error(
                        Kind.NOT_SUPPORTED,
                        tokens.position(),
                        "A function of SQL returns a value, SETOF a type or a table, or TABLE"
                                + " (...), not "
                                + other);
            }
        }
        if (!isType()) {
            Identifier table = tokens.relation("a type");
            return new Result(position, set, List.of(), table);
        }
        return new Result(position, set, List.of(new SqlFunction.Result("", type())), null);
    }

    private boolean isType() {
        String word = tokens.peek().text();
        boolean qualified = tokens.peek(1).isSymbol(".");
        return qualified
                ? TokenReader.isName(tokens.peek(), "pg_catalog")
                : TypeParser.isName(word)
                        || word.equalsIgnoreCase("NATIONAL")
                        || isUsers(tokens.types().named(word));
    }

    /// Whether `type` is a user's, and not that of a table's rows.
    private static boolean isUsers(@Nullable Type type) {
        return type != null && !type.isOfExpression();
    }

    /// Parses an option of the function; false if none follows.
    private boolean option() {
        if (tokens.acceptWord("LANGUAGE")) {
            language();
        } else if (tokens.acceptWord("IMMUTABLE")) {
            volatility = Volatility.IMMUTABLE;
        } else if (tokens.acceptWord("STABLE")) {
            volatility = Volatility.STABLE;
        } else if (tokens.acceptWord("VOLATILE")) {
            volatility = Volatility.VOLATILE;
        } else if (tokens.acceptWord("STRICT")) {
            strict = true;
        } else if (tokens.atWord(0, "RETURNS") && tokens.peek(1).is(Keyword.NULL)) {
            tokens.take();
            onNullInput();
            strict = true;
        } else if (tokens.acceptWord("CALLED")) {
            onNullInput();
            strict = false;
        } else if (tokens.acceptWord("PARALLEL")) {
            tokens.name("SAFE, RESTRICTED or UNSAFE");
        } else if (tokens.acceptWord("COST") || tokens.acceptWord("ROWS")) {
            number();
        } else if (tokens.accept(Keyword.NOT)) {
            tokens.expectWord("LEAKPROOF");
        } else if (tokens.accept(Keyword.AS)) {
            string();
        } else {
            return tokens.acceptWord("LEAKPROOF") || security();
        }
        return true;
    }

    private void number() {
        Token number = tokens.peek();
        boolean fits =
                number.kind() == Token.Kind.INTEGER
                        || number.kind() == Token.Kind.DECIMAL
                        || number.kind() == Token.Kind.DOUBLE;
        if (!fits) {
            tokens.expected("a number");
            throw tokens.unexpected();
        }
        tokens.take();
    }

    private boolean security() {
        int position = tokens.position();
        boolean external = tokens.acceptWord("EXTERNAL");
        if (!tokens.acceptWord("SECURITY")) {
            if (external) {
                tokens.expectWord("SECURITY");
            }
            return false;
        }
        if (!tokens.acceptWord("INVOKER")) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    "There are no rights of users that a function could lend; write SECURITY"
                            + " INVOKER, or leave it out");
        }
        return true;
    }

    private void onNullInput() {
        for (String word : List.of("NULL", "ON", "NULL", "INPUT")) {
            boolean skipped = word.equals("NULL") && tokens.peek().is(Keyword.ON);
            if (!skipped) {
                tokens.expectWord(word);
            }
        }
    }

    private void language() {
        Token name = tokens.peek();
        boolean named = name.isName() || name.kind() == Token.Kind.STRING;
        if (!named) {
            tokens.expected("SQL");
            throw tokens.unexpected();
        }
        if (!name.text().equalsIgnoreCase("SQL")) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    name.position(),
                    "Functions are defined in SQL only; write the query with LANGUAGE SQL, or"
                            + " register a Java function, as docs/jdbc.md describes");
        }
        tokens.take();
        language = true;
    }

    private void string() {
        Token text = tokens.peek();
        if (text.kind() != Token.Kind.STRING) {
            tokens.expected("a string");
            throw tokens.unexpected();
        }
        define(new Body(Form.STRING, text.text()), text.position());
        tokens.take();
        if (tokens.peek().isSymbol(",")) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    tokens.position(),
                    "Functions are no code of libraries: write one string with a query");
        }
    }

    private void define(Body other, int position) {
        if (body != null) {
            throw tokens.error(
                    Kind.SYNTAX, position, "The function has two bodies; leave out one of them");
        }
        body = other;
        start = position;
    }

    private boolean atReturn() {
        return tokens.acceptWord("RETURN");
    }

    /// The expression after RETURN, up to the end of the statement.
    private void returned() {
        int from = tokens.position();
        while (!tokens.peek().isSymbol(";") && tokens.peek().kind() != Token.Kind.END) {
            tokens.take();
        }
        if (tokens.textFrom(from).isEmpty()) {
            tokens.expected("an expression");
            throw tokens.unexpected();
        }
        define(new Body(Form.RETURN, tokens.textFrom(from)), from);
    }

    /// The query between BEGIN ATOMIC and END.
    private void atomic() {
        tokens.expectWord("ATOMIC");
        int from = tokens.position();
        int cases = 0;
        while (cases > 0 || !tokens.peek().is(Keyword.END)) {
            Token token = tokens.peek();
            if (token.kind() == Token.Kind.END) {
                tokens.expected("END");
                throw tokens.unexpected();
            }
            cases += token.is(Keyword.CASE) ? 1 : token.is(Keyword.END) ? -1 : 0;
            tokens.take();
        }
        define(new Body(Form.ATOMIC, tokens.textFrom(from)), from);
        tokens.take();
    }

    /// Parses the rest of DROP FUNCTION.
    ///
    /// @param ifExists whether IF EXISTS precedes the names
    FunctionStatement.Drop drop(boolean ifExists) {
        List<Signature> functions = new ArrayList<>();
        do {
            functions.add(signature());
        } while (tokens.accept(","));
        boolean cascade = tokens.acceptWord("CASCADE");
        if (!cascade) {
            tokens.acceptWord("RESTRICT");
        }
        return new FunctionStatement.Drop(ifExists, List.copyOf(functions), cascade);
    }

    Signature signature() {
        Identifier name = tokens.relation("a function name");
        if (!tokens.accept("(")) {
            return new Signature(name, null);
        }
        List<Type> types = new ArrayList<>();
        if (!tokens.accept(")")) {
            do {
                Mode mode = mode(Mode.IN);
                if (beginsWithName()) {
                    tokens.take();
                }
                mode = mode == Mode.IN ? mode(mode) : mode;
                Type type = new TypeParser(tokens).type();
                if (mode != Mode.OUT) {
                    types.add(type);
                }
            } while (tokens.accept(","));
            tokens.expect(")");
        }
        return new Signature(name, List.copyOf(types));
    }
}
