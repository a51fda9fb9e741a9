package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Habits;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.sql.value.IntervalText;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Zone;
import dev.oriel.store.Isolation;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Parses transaction control, SET and its variants, and maintenance statements.
final class ControlParser {
    private static final String SEARCH_PATH = "search_path";
    private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_]*");

    private final TokenReader tokens;

    ControlParser(TokenReader tokens) {
        this.tokens = tokens;
    }

    Statement.Control control(int position) {
        if (tokens.accept(Keyword.BEGIN)) {
            transactionWord();
            return begin(position);
        } else if (tokens.accept(Keyword.START)) {
            tokens.expect(Keyword.TRANSACTION);
            return begin(position);
        } else if (tokens.accept(Keyword.COMMIT) || takeEnd()) {
            transactionWord();
            return new Statement.Commit(position, chain());
        } else if (tokens.acceptWord("ABORT")) {
            transactionWord();
            return new Statement.Rollback(position, chain());
        } else if (tokens.accept(Keyword.ROLLBACK)) {
            transactionWord();
            if (tokens.accept(Keyword.TO)) {
                tokens.accept(Keyword.SAVEPOINT);
                return new Statement.RollbackTo(position, tokens.name("a savepoint name"));
            }
            return new Statement.Rollback(position, chain());
        } else if (tokens.accept(Keyword.SAVEPOINT)) {
            return new Statement.Savepoint(position, tokens.name("a savepoint name"));
        } else if (tokens.accept(Keyword.RELEASE)) {
            tokens.accept(Keyword.SAVEPOINT);
            return new Statement.Release(position, tokens.name("a savepoint name"));
        } else if (tokens.acceptWord("ANALYZE")) {
            return analyze(position);
        } else if (tokens.accept(Keyword.SET)) {
            return set(position);
        } else if (tokens.acceptWord("RESET")) {
            return reset(position);
        } else if (tokens.acceptWord("LOCK")) {
            return lock(position);
        }
        Statement.Control maintain = maintain(position);
        if (maintain != null) {
            return maintain;
        }
        tokens.expected("SELECT");
        throw tokens.unexpected();
    }

    /// Accepts END, PostgreSQL's synonym of COMMIT; error messages do not suggest it.
    private boolean takeEnd() {
        return tokens.peek().is(Keyword.END) && tokens.accept(Keyword.END);
    }

    /// AND [NO] CHAIN.
    private boolean chain() {
        if (!tokens.accept(Keyword.AND)) {
            return false;
        }
        boolean chain = !tokens.acceptWord("NO");
        tokens.expectWord("CHAIN");
        return chain;
    }

    private Statement.Control set(int position) {
        boolean local = tokens.acceptWord("LOCAL");
        boolean session = !local && !isAssigned(1) && tokens.acceptWord("SESSION");
        if (session && tokens.acceptWord("CHARACTERISTICS")) {
            tokens.expect(Keyword.AS);
            tokens.expect(Keyword.TRANSACTION);
            return new Statement.SetTransaction(position, modes(true), true);
        }
        if (tokens.peek().is(Keyword.TRANSACTION)) {
            tokens.take();
            return new Statement.SetTransaction(position, modes(true), false);
        }
        if (!isAssigned(1) && tokens.acceptWord("CONSTRAINTS")) {
            return constraints(position);
        }
        refuseRoles(position);
        if (tokens.peek().kind() == Token.Kind.END || tokens.peek().isSymbol(";")) {
            return new Statement.Maintain(position, List.of(), List.of());
        }
        if (!isAssigned(1) && tokens.accept(Keyword.TIME, Keyword.ZONE)) {
            if (!tokens.accept("=")) {
                tokens.accept(Keyword.TO);
            }
            return setting(position, new Identifier(position, "timezone"), local);
        }
        if (!isAssigned(1) && tokens.acceptWord("SCHEMA")) {
            return setting(position, new Identifier(position, SEARCH_PATH), local);
        }
        Identifier name = name();
        if (tokens.accept("=") || tokens.accept(Keyword.TO)) {
            Identifier known = H2Setting.assigned(tokens, name);
            return known == null
                    ? new Statement.Maintain(position, List.of(), List.of())
                    : setting(position, known, local);
        }
        if (!H2Setting.is(tokens, name.name())) {
            tokens.expect(Keyword.TO);
        }
        Identifier known = H2Setting.of(tokens, name);
        return known == null
                ? new Statement.Maintain(position, List.of(), List.of())
                : setting(position, known, local);
    }

    /// The rest of SET CONSTRAINTS.
    private Statement.Control constraints(int position) {
        List<Identifier> names = new ArrayList<>();
        if (!tokens.accept(Keyword.ALL)) {
            do {
                names.add(tokens.relation("the name of a constraint"));
            } while (tokens.accept(","));
        }
        boolean deferred = tokens.acceptWord("DEFERRED");
        if (!deferred) {
            tokens.expectWord("IMMEDIATE");
        }
        return new Statement.SetConstraints(position, List.copyOf(names), deferred);
    }

    /// Whether the token `ahead` shows that the name before it is a setting.
    private boolean isAssigned(int ahead) {
        return tokens.peek(ahead).isSymbol("=") || tokens.peek(ahead).is(Keyword.TO);
    }

    /// There are no roles here: a statement that is to run with fewer rights must not run with all.
    private void refuseRoles(int position) {
        if (!isAssigned(1)
                && (tokens.acceptWord("ROLE")
                        || tokens.acceptWord("AUTHORIZATION")
                        || tokens.acceptWords("SESSION", "AUTHORIZATION"))
                && !tokens.acceptWord("NONE")
                && !tokens.acceptWord("DEFAULT")) {
            throw Roles.none(tokens, position);
        }
    }

    private Identifier name() {
        Identifier name = tokens.name("the name of a setting");
        StringBuilder whole = new StringBuilder(name.name());
        while (tokens.accept(".")) {
            whole.append('.').append(tokens.heading().name());
        }
        return new Identifier(name.position(), whole.toString());
    }

    private Statement.Setting setting(int position, Identifier name, boolean local) {
        if (tokens.acceptWord("DEFAULT")
                || (name.name().equalsIgnoreCase("timezone") && tokens.acceptWord("LOCAL"))) {
            return new Statement.Setting(position, name, null, local);
        }
        if (name.name().equalsIgnoreCase("timezone")
                && TokenReader.isName(tokens.peek(), "interval")
                && tokens.peek(1).kind() == Token.Kind.STRING) {
            return new Statement.Setting(position, name, distance(), local);
        }
        tokens.expected("DEFAULT");
        StringBuilder value = new StringBuilder();
        do {
            if (!value.isEmpty()) {
                value.append(", ");
            }
            boolean isName = name.name().equalsIgnoreCase(SEARCH_PATH);
            value.append(isName ? schema() : value());
        } while (tokens.accept(","));
        return new Statement.Setting(position, name, value.toString(), local);
    }

    /// The zone at an INTERVAL east of Greenwich.
    private String distance() {
        Expression.IntervalLiteral interval = PrimaryParser.interval(tokens);
        try {
            Intervals.Span span = IntervalText.parse(interval.text(), interval.fields());
            if (span.months() == 0 && span.days() == 0) {
                return Zone.ofSeconds(span.micros() / 1_000_000).name();
            }
        } catch (DateTimeException | ArithmeticException unfit) {
            throw noDistance(interval);
        }
        throw noDistance(interval);
    }

    private SqlException noDistance(Expression.IntervalLiteral interval) {
        return tokens.error(
                Kind.INVALID_PARAMETER,
                interval.position(),
                "A time zone lies at most 18 hours from Greenwich, and not days or months; use an"
                        + " interval such as '-08:00'");
    }

    /// The name of a schema, in double quotes unless it is a plain identifier.
    private String schema() {
        boolean word = tokens.peek().kind() == Token.Kind.WORD;
        String name = word ? value().toLowerCase(Locale.ROOT) : value();
        return PLAIN.matcher(name).matches() ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    private String value() {
        String sign = tokens.accept("-") ? "-" : "";
        if (sign.isEmpty()) {
            tokens.accept("+");
        }
        Token token = tokens.peek();
        boolean fits =
                switch (token.kind()) {
                    case INTEGER, DECIMAL, DOUBLE -> true;
                    case WORD, STRING, QUOTED -> sign.isEmpty();
                    case BYTES, PARAMETER, SYMBOL, END -> false;
                };
        if (!fits) {
            tokens.expected("a value");
            throw tokens.unexpected();
        }
        tokens.take();
        return sign + token.text();
    }

    private Statement.Control reset(int position) {
        if (tokens.accept(Keyword.ALL)) {
            return new Statement.Setting(position, null, null, false);
        }
        if (tokens.acceptWords("SESSION", "AUTHORIZATION") || tokens.acceptWord("ROLE")) {
            return new Statement.Maintain(
                    position, List.of(), List.of()); // there are no roles to reset
        }
        if (tokens.accept(Keyword.TIME, Keyword.ZONE)) {
            return new Statement.Setting(
                    position, new Identifier(position, "timezone"), null, false);
        }
        return new Statement.Setting(position, name(), null, false);
    }

    /// SHOW of a setting: a query with one column, named after the setting.
    static Statement.Query show(TokenReader tokens, int position) {
        Identifier name;
        if (tokens.acceptWords("TRANSACTION", "ISOLATION")) {
            tokens.expectWord("LEVEL");
            name = new Identifier(position, "transaction_isolation");
        } else if (tokens.accept(Keyword.TIME, Keyword.ZONE)) {
            name = new Identifier(position, "TimeZone");
        } else {
            name = new ControlParser(tokens).name();
            String advice = Habits.ofShow(tokens.all(), name.position());
            if (advice != null) {
                throw tokens.error(SqlException.Kind.SYNTAX, name.position(), advice);
            }
        }
        Expression setting =
                new Expression.Literal(
                        name.position(), Expression.Literal.Kind.STRING, name.name());
        Expression call = new Expression.Call(name.position(), "CURRENT_SETTING", List.of(setting));
        return QueryParser.rows(position, List.of(new Statement.Item.Value(call, name)), null);
    }

    /// The rest of LOCK. Modes that keep off changes of rows are one here, as are the weaker ones.
    private Statement.Control lock(int position) {
        tokens.accept(Keyword.TABLE);
        List<Identifier> tables = new ArrayList<>();
        do {
            tables.add(tokens.onlyTable());
        } while (tokens.accept(","));
        boolean exclusive = true;
        if (tokens.accept(Keyword.IN)) {
            exclusive = excludesWriters();
            tokens.expectWord("MODE");
        }
        boolean waits = !tokens.acceptWord("NOWAIT");
        return new Statement.LockTables(position, List.copyOf(tables), exclusive, waits);
    }

    private boolean excludesWriters() {
        if (tokens.acceptWords("ACCESS", "SHARE")
                || tokens.acceptWords("ROW", "SHARE")
                || tokens.acceptWords("ROW", "EXCLUSIVE")) {
            return false;
        }
        boolean share = tokens.acceptWord("SHARE");
        if (share
                && (tokens.acceptWords("UPDATE", "EXCLUSIVE")
                        || tokens.acceptWords("ROW", "EXCLUSIVE"))) {
            return true;
        }
        if (!share) {
            tokens.acceptWord("ACCESS");
            tokens.expectWord("EXCLUSIVE");
        }
        return true;
    }

    private Statement.Control analyze(int position) {
        tokens.accept(Keyword.TABLE);
        passOptions();
        tokens.acceptWord("VERBOSE");
        return new Statement.Analyze(position, tables());
    }

    /// Table names up to the end, each optionally followed by a list of its columns.
    private List<Identifier> tables() {
        List<Identifier> tables = new ArrayList<>();
        if (!atEnd()) {
            do {
                tables.add(tokens.relation("a table name"));
                if (tokens.accept("(")) {
                    do {
                        tokens.name("a column name");
                    } while (tokens.accept(","));
                    tokens.expect(")");
                }
            } while (tokens.accept(","));
        }
        return List.copyOf(tables);
    }

    private boolean atEnd() {
        return tokens.peek().kind() == Token.Kind.END || tokens.peek().isSymbol(";");
    }

    /// Skips options in parentheses, which tune other databases only.
    private void passOptions() {
        if (tokens.accept("(")) {
            while (!tokens.accept(")")) {
                if (tokens.peek().kind() == Token.Kind.END) {
                    throw tokens.unexpected();
                }
                tokens.take();
            }
        }
    }

    /// Maintenance statements with nothing to do: free pages are reused, indexes stay intact, and checkpoints run
    /// by themselves.
    private Statement.@Nullable Control maintain(int position) {
        if (tokens.acceptWord("CHECKPOINT")) {
            return new Statement.Maintain(position, List.of(), List.of());
        } else if (tokens.acceptWord("VACUUM")) {
            passOptions();
            tokens.accept(Keyword.FULL);
            tokens.acceptWord("FREEZE");
            tokens.acceptWord("VERBOSE");
            if (tokens.acceptWord("ANALYZE")) {
                return new Statement.Analyze(position, tables());
            }
            return new Statement.Maintain(position, tables(), List.of());
        } else if (tokens.acceptWord("CLUSTER")) {
            return cluster(position);
        } else if (tokens.acceptWord("REINDEX")) {
            return reindex(position);
        } else if (tokens.acceptWord("DISCARD")) {
            return discard(position);
        }
        return null;
    }

    /// The rest of CLUSTER, which has no effect: rows are kept in the order of the primary key.
    private Statement.Control cluster(int position) {
        passOptions();
        tokens.acceptWord("VERBOSE");
        if (atEnd()) {
            return new Statement.Maintain(position, List.of(), List.of());
        }
        List<Identifier> table = List.of(tokens.relation("a table name"));
        List<Identifier> index =
                tokens.accept(Keyword.USING)
                        ? List.of(tokens.relation("an index name"))
                        : List.of();
        return new Statement.Maintain(position, table, index);
    }

    private Statement.Control reindex(int position) {
        passOptions();
        boolean all = tokens.acceptWord("DATABASE") || tokens.acceptWord("SYSTEM");
        if (all || tokens.acceptWord("SCHEMA")) {
            tokens.acceptWord("CONCURRENTLY");
            if (!all || tokens.peek().isName()) {
                tokens.name("a name");
            }
            return new Statement.Maintain(position, List.of(), List.of());
        }
        boolean index = tokens.accept(Keyword.INDEX);
        boolean table = !index && tokens.accept(Keyword.TABLE);
        if (index || table) {
            tokens.acceptWord("CONCURRENTLY");
        }
        List<Identifier> names = List.of(tokens.relation("a name"));
        return new Statement.Maintain(
                position, index ? List.of() : names, table ? List.of() : names);
    }

    private Statement.Control discard(int position) {
        if (tokens.acceptWord("PLANS") || tokens.acceptWord("SEQUENCES")) {
            return new Statement.Maintain(position, List.of(), List.of());
        }
        boolean all = tokens.accept(Keyword.ALL);
        if (!all && !tokens.acceptWord("TEMP")) {
            tokens.expectWord("TEMPORARY");
        }
        return new Statement.Discard(position, all);
    }

    private Statement.Control begin(int position) {
        boolean bulk = tokens.acceptWord("BULK");
        boolean exclusive = bulk || tokens.acceptWord("EXCLUSIVE");
        TransactionModes modes = exclusive ? TransactionModes.NONE : modes(false);
        return new Statement.Begin(position, modes, exclusive, bulk);
    }

    /// ISOLATION LEVEL, READ ONLY and similar modes, with or without commas between them.
    private TransactionModes modes(boolean needed) {
        Isolation isolation = null;
        Boolean readOnly = null;
        boolean any = false;
        while (true) {
            if (tokens.acceptWord("ISOLATION")) {
                tokens.expectWord("LEVEL");
                isolation = level();
            } else if (tokens.acceptWords("READ", "ONLY")) {
                readOnly = true;
            } else if (tokens.acceptWords("READ", "WRITE")) {
                readOnly = false;
            } else if (!tokens.acceptWords("NOT", "DEFERRABLE")
                    && !tokens.acceptWord("DEFERRABLE")) {
                if (needed && !any) {
                    tokens.expected("ISOLATION");
                    tokens.expected("READ");
                    throw tokens.unexpected();
                }
                return new TransactionModes(isolation, readOnly);
            }
            needed = tokens.accept(",");
            any = !needed;
        }
    }

    private Isolation level() {
        if (tokens.acceptWord("SERIALIZABLE")) {
            return Isolation.SERIALIZABLE;
        } else if (tokens.acceptWord("REPEATABLE")) {
            tokens.expectWord("READ");
            return Isolation.SNAPSHOT;
        } else if (tokens.acceptWord("SNAPSHOT")) { // as of H2 and SQL Server
            return Isolation.SNAPSHOT;
        }
        tokens.expectWord("READ");
        if (!tokens.acceptWord("UNCOMMITTED")) {
            tokens.expectWord("COMMITTED");
        }
        return Isolation.READ_COMMITTED;
    }

    private void transactionWord() {
        if (!tokens.accept(Keyword.TRANSACTION)) {
            tokens.accept(Keyword.WORK);
        }
    }
}
