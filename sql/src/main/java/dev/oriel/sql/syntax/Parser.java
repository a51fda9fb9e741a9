package dev.oriel.sql.syntax;

import dev.oriel.profiler.Probe;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.cancel.LargeStack;
import dev.oriel.sql.text.Fingerprint;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.Nesting;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Parses one statement by recursive descent. [DefinitionParser] has the grammar of definitions, [QueryParser] that
/// of queries, and [ExpressionParser] that of expressions.
public final class Parser {
    private static final Probe PARSE = Probe.of(Parser.class, "parse");

    private final TokenReader tokens;
    private final ExpressionParser expressions;
    private final DefinitionParser definitions;
    private final QueryParser queries;
    private final ChangeParser changes;

    /// Options of PostgreSQL's EXPLAIN without effect: their subject is never printed here, or always.
    private static final List<String> OTHER_OPTIONS =
            List.of("COSTS", "BUFFERS", "SUMMARY", "SETTINGS", "WAL", "MEMORY");

    private Parser(TokenReader reader, Predicate<String> aggregates) {
        this.tokens = reader;
        this.expressions = new ExpressionParser(tokens, aggregates);
        this.queries = new QueryParser(tokens, expressions);
        this.definitions = new DefinitionParser(tokens, expressions, queries);
        this.changes = new ChangeParser(tokens, expressions, queries);
        queries.changes(this::changed);
    }

    /// A statement, its number of parameters, and its kind ([Fingerprint]).
    public record Parsed(Statement statement, int parameters, long fingerprint) {}

    /// Parses `source`: one statement and an optional semicolon.
    ///
    /// @throws SqlException if it is not in the grammar
    public static Parsed parse(SqlText source) {
        return parse(source, name -> false);
    }

    /// Same as [#parse], with user-defined types.
    public static Parsed parseWithTypes(SqlText source, UserTypes types) {
        return parse(new TokenReader(source, Lexer.tokens(source), types), name -> false);
    }

    /// Same as [#parse], with aggregates written in Java.
    public static Parsed parse(SqlText source, Predicate<String> aggregates) {
        return parse(new TokenReader(source), aggregates);
    }

    /// Same as [#parse], of tokens read before.
    public static Parsed parse(TokenReader tokens, Predicate<String> aggregates) {
        long entered = PARSE.enter();
        try {
            return LargeStack.call(
                    Nesting.isDeep(tokens.all()),
                    () -> parsed(tokens.of(tokens.all()), aggregates));
        } finally {
            PARSE.exit(entered);
        }
    }

    /// Parses an expression by itself, as stored in a definition.
    public static Expression expression(SqlText source) {
        return expression(source, UserTypes.NONE);
    }

    /// Same as [#expression], with user-defined types.
    public static Expression expression(SqlText source, UserTypes types) {
        List<Token> tokens = Lexer.tokens(source);
        return LargeStack.call(
                Nesting.isDeep(tokens),
                () -> {
                    Parser parser =
                            new Parser(new TokenReader(source, tokens, types), name -> false);
                    Expression expression = parser.expressions.expression();
                    parser.end();
                    return expression;
                });
    }

    /// Parses expressions from `tokens`, which may go on behind them.
    static ExpressionParser expressions(TokenReader tokens, Predicate<String> aggregates) {
        return new Parser(tokens, aggregates).expressions;
    }

    /// Parses the bound of a partition by itself, as stored in a definition.
    public static PartitionBound bound(SqlText source) {
        TokenReader tokens = new TokenReader(source, Lexer.tokens(source), UserTypes.NONE);
        Parser parser = new Parser(tokens, name -> false);
        PartitionBound bound = new PartitionParser(tokens, parser.expressions).bound();
        parser.end();
        return bound;
    }

    private static Parsed parsed(TokenReader tokens, Predicate<String> aggregates) {
        SelectInto into = SelectInto.of(tokens);
        Parser parser = new Parser(into == null ? tokens : into.query(), aggregates);
        Statement statement =
                parser.isEmpty()
                        ? new Statement.Maintain(tokens.position(), List.of(), List.of())
                        : parser.queries.changed(parser.statement(true));
        parser.end();
        parser.queries.locks().check(statement);
        int parameters = parser.expressions.parameters();
        return new Parsed(
                into == null ? statement : into.table(statement),
                parameters,
                Fingerprint.of(tokens.all()));
    }

    /// Whether nothing but comments is left, which is a statement without effect.
    private boolean isEmpty() {
        int last = tokens.peek().isSymbol(";") ? 1 : 0;
        return tokens.peek(last).kind() == Token.Kind.END;
    }

    private void end() {
        tokens.accept(";");
        if (tokens.peek().kind() != Token.Kind.END) {
            tokens.expected("the end of the statement");
            throw tokens.unexpected();
        }
    }

    /// Whether CREATE or DROP of a table or an index begins, for which a young JVM loads no other parsers.
    private boolean definesTable() {
        boolean defines = tokens.peek().is(Keyword.CREATE) || tokens.peek().is(Keyword.DROP);
        return defines && (tokens.peek(1).is(Keyword.TABLE) || tokens.peek(1).is(Keyword.INDEX));
    }

    /// A statement about triggers, procedures, roles or kinds of objects that do not exist here; null if none begins.
    private @Nullable Statement other(int position) {
        TriggerStatement trigger = new TriggerParser(tokens, expressions).statement();
        if (trigger != null) {
            return new Statement.OfTrigger(position, trigger);
        }
        Statement procedure = new ProcedureParser(tokens, expressions).statement();
        if (procedure != null) {
            return procedure;
        }
        Roles.refuse(tokens);
        Statement ignored = Roles.ignored(tokens, position);
        return ignored == null ? AbsentKinds.ignored(tokens, position) : ignored;
    }

    /// @param explainable whether it may begin with EXPLAIN
    private Statement statement(boolean explainable) {
        int position = tokens.position();
        if (queries.begins()) {
            Statement statement =
                    tokens.peek().is(Keyword.WITH) ? queries.wholeWith() : queries.whole();
            return tokens.peek().is(Keyword.FOR) && statement instanceof Statement.Query query
                    ? queries.locks().locking(query)
                    : statement;
        }
        Statement change = change();
        if (change != null) {
            return change;
        }
        Statement other = definesTable() ? null : other(position);
        if (other != null) {
            return other;
        }
        if (tokens.accept(Keyword.CREATE)) {
            return definitions.create(position);
        } else if (tokens.accept(Keyword.DROP)) {
            return definitions.drop(position);
        } else if (tokens.accept(Keyword.TRUNCATE)) {
            return definitions.truncate(position);
        } else if (tokens.acceptWord("ALTER")) {
            return definitions.alter(position);
        } else if (explainable && tokens.accept(Keyword.EXPLAIN)) {
            if (tokens.acceptWord("PLAN")) { // as of Oracle and H2
                tokens.accept(Keyword.FOR);
            }
            ExplainOptions options = explainOptions();
            return new Statement.Explain(position, statement(false), options);
        }
        if (tokens.acceptWord("REFRESH")) {
            return definitions.refresh(position);
        }
        if (tokens.acceptWord("COMMENT")) {
            return definitions.comment(position);
        }
        if (tokens.acceptWord("COPY")) {
            return new CopyParser(tokens, queries).copy(position);
        }
        if (tokens.acceptWord("CALL")) {
            return queries.call(position);
        }
        if (tokens.acceptWord("SHOW")) {
            return ControlParser.show(tokens, position);
        }
        return control(position);
    }

    /// Parses a statement that changes rows, if one begins here.
    private @Nullable Statement change() {
        int position = tokens.position();
        if (tokens.accept(Keyword.INSERT)) {
            return changes.insert(position);
        } else if (tokens.accept(Keyword.UPDATE)) {
            return changes.update(position);
        } else if (tokens.accept(Keyword.DELETE)) {
            return changes.delete(position);
        } else if (tokens.acceptWord("MERGE")) {
            return changes.merge(position);
        }
        boolean replace = tokens.atWord(0, "REPLACE") && tokens.peek(1).is(Keyword.INTO);
        return (replace && tokens.acceptWord("REPLACE")) || tokens.acceptWord("UPSERT")
                ? changes.upsert(position)
                : null;
    }

    /// Same as [#change], after WITH.
    private Statement.@Nullable RowChange changed() {
        return change() instanceof Statement.RowChange change ? change : null;
    }

    private ExplainOptions explainOptions() {
        ExplainOptions options = ExplainOptions.PLAN;
        boolean analyze = tokens.acceptWord("ANALYZE");
        boolean verbose = tokens.acceptWord("VERBOSE");
        options = options.withAnalyze(analyze).withVerbose(verbose);
        if (tokens.acceptWord("FORMAT")) {
            return options.withFormat(otherFormat());
        } else if (analyze || verbose) {
            return options;
        }
        boolean listed = tokens.peek().isSymbol("(");
        if (!listed || tokens.peek(1).isSymbol("(") || queries.begins()) {
            return options;
        }
        tokens.expect("(");
        do {
            options = explainOption(options);
        } while (tokens.accept(","));
        tokens.expect(")");
        return options;
    }

    /// The format after EXPLAIN FORMAT, as of MySQL and DataFusion: a tree of any kind is a text here.
    private ExplainOptions.Format otherFormat() {
        tokens.accept("=");
        Token name = tokens.peek();
        if (!name.isName() && name.kind() != Token.Kind.STRING) {
            tokens.expected("a format");
            throw tokens.unexpected();
        }
        tokens.take();
        String format = name.text().toUpperCase(Locale.ROOT);
        return switch (format) {
            case "JSON", "PGJSON" -> ExplainOptions.Format.JSON;
            case "TEXT", "TREE", "INDENT", "TRADITIONAL" -> ExplainOptions.Format.TEXT;
            case "HTML" -> ExplainOptions.Format.HTML;
            default ->
                    throw tokens.error(
                            SqlException.Kind.NOT_SUPPORTED,
                            name.position(),
                            "There is no format \"" + name.text() + "\"; take TEXT, JSON or HTML");
        };
    }

    private ExplainOptions explainOption(ExplainOptions so) {
        if (tokens.acceptWord("ANALYZE")) {
            return so.withAnalyze(on());
        } else if (tokens.acceptWord("PROFILE")) {
            return so.withProfile(on());
        } else if (tokens.acceptWord("TIMING")) {
            return so.withTiming(on());
        } else if (tokens.acceptWord("VERBOSE")) {
            return so.withVerbose(on());
        } else if (tokens.acceptWord("FORMAT")) {
            for (ExplainOptions.Format format : ExplainOptions.Format.values()) {
                if (tokens.acceptWord(format.name())) {
                    return so.withFormat(format);
                }
                tokens.expected(format.name());
            }
            throw tokens.unexpected();
        }
        for (String other : OTHER_OPTIONS) {
            if (tokens.acceptWord(other)) {
                on();
                return so;
            }
        }
        tokens.expected("ANALYZE");
        tokens.expected("PROFILE");
        tokens.expected("TIMING");
        tokens.expected("VERBOSE");
        tokens.expected("FORMAT");
        throw tokens.unexpected();
    }

    /// The value of a boolean option: on if omitted.
    private boolean on() {
        if (tokens.accept(Keyword.FALSE) || tokens.acceptWord("OFF")) {
            return false;
        }
        if (!tokens.accept(Keyword.TRUE)) {
            tokens.accept(Keyword.ON);
        }
        return true;
    }

    private Statement control(int position) {
        return new ControlParser(tokens).control(position);
    }
}
