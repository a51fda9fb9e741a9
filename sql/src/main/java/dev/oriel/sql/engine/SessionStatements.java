package dev.oriel.sql.engine;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.sql.rows.RowCodec;
import dev.oriel.sql.syntax.SessionStatement;
import dev.oriel.sql.syntax.SessionStatement.Declare;
import dev.oriel.sql.syntax.SessionStatement.Execute;
import dev.oriel.sql.syntax.SessionStatement.Fetch;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.store.LimitException;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Named statements and cursors of a session. EXECUTE prepares the text of its statement with the arguments in
/// place of `$1` and so on. A cursor reads all its rows as it is declared, so it does not see later changes. It
/// ends with its transaction, unless it is WITH HOLD and the transaction commits.
final class SessionStatements {
    private final LocalSession session;
    private final Map<String, SessionStatement.Prepare> prepared = new TreeMap<>();
    private final Map<String, Cursor> cursors = new TreeMap<>();

    /// Cursors declared in the open transaction.
    private final List<String> declared = new ArrayList<>(0);

    SessionStatements(LocalSession session) {
        this.session = session;
    }

    /// The statement `text` if it is about named objects of the session; else null.
    @Nullable Prepared of(String text) {
        if (!SessionStatement.isLikely(text)) {
            int execute = prepared.isEmpty() ? -1 : SessionStatement.executed(text);
            return execute < 0 ? null : around(text, execute);
        }
        SqlText source = new SqlText(text);
        ParameterText parameters = new ParameterText(text);
        SessionStatement statement =
                SessionStatement.parse(source, new SqlText(parameters.masked()));
        return switch (statement) {
            case SessionStatement.Prepare prepare -> action(() -> prepare(prepare, source));
            case Execute execute -> session.prepare(substituted(execute, source));
            case SessionStatement.Deallocate deallocate ->
                    action(() -> remove(prepared, deallocate.name(), "statement", source));
            case Declare declare -> action(() -> declare(declare, source));
            case SessionStatement.Close close ->
                    action(() -> remove(cursors, close.name(), "cursor", source));
            case Fetch fetch -> {
                Cursor cursor = found(cursors, fetch.name(), "cursor", source);
                yield fetch.move()
                        ? action(() -> fetched(fetch, source).size())
                        : new SessionPrepared(
                                session, cursor.columns(), () -> fetched(fetch, source));
            }
        };
    }

    /// EXPLAIN or CREATE TABLE AS, with EXECUTE at `place` in it.
    private @Nullable Prepared around(String text, int place) {
        String inner = text.substring(place);
        SqlText source = new SqlText(inner);
        ParameterText parameters = new ParameterText(inner);
        return SessionStatement.parse(source, new SqlText(parameters.masked()))
                        instanceof Execute execute
                ? session.prepare(text.substring(0, place) + substituted(execute, source))
                : null;
    }

    private Prepared action(SessionPrepared.Action action) {
        return new SessionPrepared(session, action);
    }

    /// Drops all statements and cursors.
    void clear() {
        prepared.clear();
        cursors.clear();
        declared.clear();
    }

    /// The transaction has ended.
    void ended(boolean committed) {
        for (String name : declared) {
            Cursor cursor = cursors.get(name);
            if (cursor != null && (!committed || !cursor.hold())) {
                cursors.remove(name);
            }
        }
        declared.clear();
    }

    private static String key(Identifier name) {
        return name.name().toUpperCase(Locale.ROOT);
    }

    private static <T> T found(Map<String, T> all, Identifier name, String what, SqlText source) {
        T found = all.get(key(name));
        if (found == null) {
            throw source.error(
                    what.equals("cursor") ? Kind.UNKNOWN_CURSOR : Kind.UNKNOWN_STATEMENT,
                    name.position(),
                    "There is no " + what + " \"" + name.name() + "\"");
        }
        return found;
    }

    private static <T> long remove(
            Map<String, T> all, @Nullable Identifier name, String what, SqlText source) {
        if (name == null) {
            all.clear();
        } else {
            found(all, name, what, source);
            all.remove(key(name));
        }
        return 0;
    }

    private static void checkFree(
            Map<String, ?> all, Identifier name, String what, SqlText source) {
        if (all.containsKey(key(name))) {
            throw source.error(
                    Kind.DUPLICATE_OBJECT,
                    name.position(),
                    "There is a " + what + " \"" + name.name() + "\" already");
        }
    }

    private long prepare(SessionStatement.Prepare prepare, SqlText source) {
        checkFree(prepared, prepare.name(), "statement", source);
        ParameterText text = new ParameterText(prepare.text());
        List<String> nulls = new ArrayList<>();
        for (int i = 0; i < Math.max(text.count(), prepare.types().size()); i++) {
            nulls.add("NULL");
        }
        session.prepare(text.with(nulls, prepare.types())).close(); // checks that it compiles
        prepared.put(key(prepare.name()), prepare);
        return 0;
    }

    private String substituted(Execute execute, SqlText source) {
        SessionStatement.Prepare prepare = found(prepared, execute.name(), "statement", source);
        ParameterText text = new ParameterText(prepare.text());
        int wanted = Math.max(text.count(), prepare.types().size());
        if (execute.arguments().size() != wanted) {
            throw source.error(
                    Kind.PARAMETER_COUNT,
                    execute.name().position(),
                    "Statement \""
                            + execute.name().name()
                            + "\" has "
                            + wanted
                            + " parameters, not "
                            + execute.arguments().size());
        }
        return text.with(execute.arguments(), prepare.types());
    }

    private long declare(Declare declare, SqlText source) {
        Identifier name = declare.name();
        checkFree(cursors, name, "cursor", source);
        if (!declare.hold() && !session.inTransaction()) {
            throw source.error(
                    Kind.NO_TRANSACTION,
                    name.position(),
                    "A cursor ends with its transaction: BEGIN one, or say WITH HOLD");
        }
        try (Prepared query = session.prepare(declare.text())) {
            if (!query.isQuery() || !query.parameters().isEmpty()) {
                throw source.error(
                        Kind.WRONG_STATEMENT_KIND,
                        name.position(),
                        "A cursor is for a query without parameters");
            }
            cursors.put(key(name), cursor(declare, query));
        } catch (SqlException failure) {
            throw source.error(failure.kind(), name.position(), firstLine(failure));
        }
        if (session.inTransaction()) {
            declared.add(key(name));
        }
        return 0;
    }

    private Cursor cursor(Declare declare, Prepared query) {
        CursorKeys keys = CursorKeys.of(declare.text(), session.catalog());
        if (keys != null) {
            try (Prepared keyed = session.prepare(keys.text())) {
                List<Tuple> rows = rows(keyed);
                return new Cursor(keyed.columns(), rows, declare.hold(), declare.forward(), keys);
            } catch (SqlException unfit) {
                if (unfit.kind() != Kind.GROUPING) {
                    throw unfit;
                }
            }
        }
        return new Cursor(query.columns(), rows(query), declare.hold(), declare.forward(), null);
    }

    /// The text of a column of the current row of a cursor, see [dev.oriel.sql.plan.Settings].
    String cursorKey(String name, String table, int key, SqlText.Place place) {
        Cursor cursor = cursors.get(name.toUpperCase(Locale.ROOT));
        if (cursor == null) {
            throw place.error(Kind.UNKNOWN_CURSOR, "There is no cursor \"" + name + "\"");
        }
        if (!table.equalsIgnoreCase(cursor.table())) {
            throw place.error(
                    Kind.CURSOR_STATE,
                    "Cursor \""
                            + name
                            + "\" does not read rows of this table alone; select them from it"
                            + " without DISTINCT and groups");
        }
        String text = cursor.key(key);
        if (text == null) {
            throw place.error(
                    Kind.CURSOR_STATE, "Cursor \"" + name + "\" is not on a row; FETCH one");
        }
        return text;
    }

    private static String firstLine(SqlException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private List<Tuple> rows(Prepared query) {
        Type.Shape[] shapes =
                query.columns().stream()
                        .map(column -> column.type().shape())
                        .toArray(Type.Shape[]::new);
        List<Tuple> rows = new ArrayList<>();
        long bytes = 0;
        try (Prepared.Result result = query.query()) {
            while (result.next()) {
                Tuple row = KeptRows.copy(result, shapes);
                bytes += RowCodec.memoryBytes(row, shapes);
                if (bytes > session.bytesMax()) {
                    throw new LimitException(
                            "The rows of a cursor take more memory than a statement may have; raise"
                                    + " query_bytes_max, or read fewer",
                            "bytesMax=" + session.bytesMax());
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private List<Tuple> fetched(Fetch fetch, SqlText source) {
        Cursor cursor = found(cursors, fetch.name(), "cursor", source);
        if (cursor.refuses(fetch.direction(), fetch.count())) {
            throw source.error(
                    Kind.OBJECT_STATE,
                    fetch.name().position(),
                    "Cursor \""
                            + fetch.name().name()
                            + "\" was declared NO SCROLL and goes forward only");
        }
        return cursor.go(fetch.direction(), fetch.count());
    }
}
