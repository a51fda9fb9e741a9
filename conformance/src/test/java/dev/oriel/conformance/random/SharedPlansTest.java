package dev.oriel.conformance.random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Random queries and changes, each asked several times with other literals of the same kinds, of two
/// databases: one where statements that differ only in literals share plans, one where each has its own.
/// Rows, counts, errors and the places that these point to must be the same. `-Drandom.queries=` says how
/// many statements are made.
class SharedPlansTest {
    private static final int STATEMENTS = Integer.getInteger("random.shared.statements", 200);
    private static final int STATEMENTS_A_SCHEMA = 40;

    /// The first is only remembered, and by the second a plan is made: what follows may share it.
    private static final int TIMES = 5;

    /// Forms whose literals may differ in one plan.
    private static final Pattern COMPARED =
            Pattern.compile(
                    "(?s)\\(?\\$1 (?:=|<>|<=?|>=?|IS (?:NOT )?DISTINCT FROM|(?:NOT )?BETWEEN|(?:NOT )?IN)"
                            + " .*|INSERT .*|UPDATE .*");

    private static final Piece SHARING_OFF =
            Piece.fixed("CALL sys.configure('plan_sharing', 'off')");

    private int asked;
    private int withRows;
    private int changed;
    private long shared;
    private long templates;

    @Test
    void otherLiteralsAnswerAsTheyDoByThemselves() throws SQLException {
        SplittableRandom random = Seed.of("SharedPlansTest", 20_261_122);
        long started = System.nanoTime();
        for (int i = 0; i < STATEMENTS; i += STATEMENTS_A_SCHEMA) {
            schema(random.nextLong());
        }
        System.out.printf(
                "SharedPlansTest: %d statements asked %d times, %d with rows, %d changes of rows; %d"
                        + " plans shared by %d, %.1f s%n",
                STATEMENTS,
                asked,
                withRows,
                changed,
                templates,
                shared,
                (System.nanoTime() - started) / 1e9);
        assertTrue(shared > asked / 8, "hardly any plan was shared");
        assertTrue(withRows > asked / 4, "hardly any rows were found");
        assertTrue(changed > asked / 40, "hardly any rows were changed");
    }

    private void schema(long seed) throws SQLException {
        Gen gen = new Gen(new SplittableRandom(seed));
        Schema schema = Schema.random(gen, true);
        Queries queries = new Queries(gen, true, schema);
        Literals literals = new Literals(gen, true);
        try (Connection sharing = RandomCase.open(schema.setup());
                Connection alone = RandomCase.open(List.of(SHARING_OFF))) {
            try (Statement statement = alone.createStatement()) {
                for (Piece piece : schema.setup()) {
                    statement.execute(piece.toString());
                }
            }
            sharing.setAutoCommit(false);
            alone.setAutoCommit(false);
            for (int i = 0; i < STATEMENTS_A_SCHEMA; i++) {
                boolean change = gen.chance(25);
                boolean everywhere = gen.chance(20);
                Piece made = change ? change(gen, schema, queries, literals) : queries.whole();
                for (int time = 0; time < TIMES; time++) {
                    Piece other = time == 0 ? made : varied(made, literals, everywhere);
                    String text = other.toString();
                    List<Sort> columns = change ? List.of() : other.columns();
                    String expected = answer(alone, text, columns);
                    String found = answer(sharing, text, columns);
                    assertEquals(
                            expected,
                            found,
                            () -> "schema " + seed + "\n" + script(schema, made) + text);
                    count(expected, change);
                }
            }
            shared += counter(sharing, "found_by_shape");
            templates += counter(sharing, "shared_plans_made");
            assertEquals(0, counter(alone, "found_by_shape"));
        }
    }

    private void count(String answer, boolean change) {
        asked++;
        if (change) {
            changed += answer.matches("(?s)[1-9].*") ? 1 : 0;
        } else if (!answer.startsWith("error") && !answer.startsWith("0 ")) {
            withRows++;
        }
    }

    private static String script(Schema schema, Piece made) {
        StringBuilder script = new StringBuilder();
        schema.setup().forEach(piece -> script.append(piece).append(";\n"));
        return script.append(made).append(";\n").toString();
    }

    private static long counter(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT value FROM sys.plan_cache WHERE name = '" + name + "'")) {
            assertTrue(rows.next());
            return rows.getLong(1);
        }
    }

    /// What the statement says, and of a change what its table holds then, which is undone.
    private static String answer(Connection connection, String text, List<Sort> columns)
            throws SQLException {
        if (!columns.isEmpty()) {
            Answer answer = Answer.of(connection, text, columns, false);
            return answer.failed()
                    ? "error " + answer.state() + " " + answer.message()
                    : answer.rows().size() + " rows: " + answer.rows();
        }
        try (Statement statement = connection.createStatement()) {
            int count = statement.executeUpdate(text);
            return count + " " + content(statement, text);
        } catch (SQLException failure) {
            Answer answer = Answer.failed(failure);
            return "error " + answer.state() + " " + answer.message();
        } finally {
            connection.rollback();
        }
    }

    private static List<String> content(Statement statement, String text) throws SQLException {
        String table = text.replaceFirst("(?s)^(?:UPDATE|DELETE FROM|INSERT INTO) (\\w+).*", "$1");
        List<String> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery("SELECT * FROM " + table)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= columns; i++) {
                    row.append(result.getString(i)).append('|');
                }
                rows.add(row.toString());
            }
        }
        return rows.stream().sorted().toList();
    }

    private static Piece change(Gen gen, Schema schema, Queries queries, Literals literals) {
        String table = gen.pick(schema.tables().keySet().stream().sorted().toList());
        List<Piece> columns = Objects.requireNonNull(schema.tables().get(table));
        if (gen.chance(30)) {
            List<Piece> values =
                    columns.stream().map(column -> literals.of(column.sort())).toList();
            return Piece.of(
                    Sort.PART, "INSERT INTO " + table + " VALUES ($1)", Piece.list(", ", values));
        }
        List<Piece> named =
                columns.stream()
                        .map(column -> Piece.leaf(column.sort(), table + "." + column.form()))
                        .toList();
        Scope scope =
                new Scope(List.of(new Scope.Source(Piece.fixed(table), named, List.of())), null);
        var _ = queries.from(); // forgets what was named before
        Piece where = queries.expressions().condition(scope, 2);
        if (gen.chance(50)) {
            return Piece.of(Sort.PART, "DELETE FROM " + table + " WHERE $1", where);
        }
        Piece column = gen.pick(columns);
        Piece value =
                gen.chance(50)
                        ? literals.of(column.sort())
                        : queries.expressions().value(column.sort(), scope, 1);
        return Piece.of(
                Sort.PART,
                "UPDATE " + table + " SET " + column.form() + " = $1 WHERE $2",
                value,
                where);
    }

    /// `piece` with other literals in the place of its own.
    ///
    /// @param here whether that is done everywhere, and not in comparisons and values alone
    private static Piece varied(Piece piece, Literals literals, boolean here) {
        Piece other = here && isLiteral(piece) ? another(piece, literals) : null;
        if (other != null) {
            return other;
        }
        boolean within = here || COMPARED.matcher(piece.form()).lookingAt();
        List<Piece> parts = new ArrayList<>();
        for (Piece part : piece.parts()) {
            boolean list = within && part.sort() == Sort.LIST;
            boolean value = within && (here || isLiteral(part));
            parts.add(list ? variedList(part, literals, here) : varied(part, literals, value));
        }
        return new Piece(piece.sort(), piece.form(), List.copyOf(parts));
    }

    private static Piece variedList(Piece list, Literals literals, boolean here) {
        List<Piece> parts = new ArrayList<>();
        for (Piece part : list.parts()) {
            parts.add(varied(part, literals, here || isLiteral(part)));
        }
        return new Piece(list.sort(), list.form(), List.copyOf(parts));
    }

    private static boolean isLiteral(Piece piece) {
        if (!piece.sort().isValue()) {
            return false;
        }
        return piece.parts().isEmpty()
                ? Character.isDigit(piece.form().charAt(0)) || piece.form().startsWith("(")
                : piece.parts().size() == 1
                        && piece.parts().getFirst().sort() == Sort.FIXED
                        && piece.parts().getFirst().parts().isEmpty();
    }

    /// A literal that is written as `piece` is; null where none is found.
    private static @Nullable Piece another(Piece piece, Literals literals) {
        for (int i = 0; i < 20; i++) {
            Piece other = literals.value(piece.sort());
            if (shape(other.toString()).equals(shape(piece.toString()))) {
                return other;
            }
        }
        return null;
    }

    /// Signs stay, and so does what makes a number of another type.
    private static String shape(String literal) {
        return literal.replaceAll("'(?:[^']|'')*'", "'s'").replaceAll("[0-9]+", "9");
    }
}
