package dev.oriel.sql.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.LikePattern;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Decimals computed as longs equal the results of `BigDecimal`, in value and scale.
class FixedDecimalTest {
    private static final int COLUMNS = 5;

    private final Gen gen = new Gen(Seed.of("FixedDecimalTest", 31));
    private final SqlText.Place place = new SqlText("").at(0);
    private final List<Type> types = new ArrayList<>();
    private final Tuple row = new Tuple(COLUMNS);
    private final Frame frame = Frame.alone(row);

    private void fill() {
        types.clear();
        for (int i = 0; i < COLUMNS; i++) {
            int length = 1 + gen.below(20);
            Type type = new Type(Type.Name.DECIMAL, length, gen.below(length + 1));
            types.add(type);
            row.setDecimal(i, gen.chance(10) ? null : value(type));
            if (gen.chance(50)) {
                row.copy(i, row, i, Type.Shape.DECIMAL);
            }
        }
    }

    private BigDecimal value(Type type) {
        long most = (long) Math.pow(10, Math.min(type.length(), 18)) - 1;
        long digits = gen.chance(30) ? (gen.chance(50) ? most : -most) : gen.between(-most, most);
        // Some columns do not match their type: rows of other queries may not.
        int scale = gen.chance(3) ? type.scale() + 1 : type.scale();
        return BigDecimal.valueOf(digits, scale);
    }

    private Scalar tree(int depth) {
        if (depth == 0 || gen.chance(20)) {
            int column = gen.below(COLUMNS);
            return gen.chance(70)
                    ? new Scalar.ColumnRef(column, types.get(column), true, "c")
                    : Scalar.Constant.of(
                            Type.of(Type.Name.DECIMAL), value(types.get(gen.below(COLUMNS))));
        }
        Operator operator = gen.pick(List.of(Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY));
        Type decimal = Type.of(Type.Name.DECIMAL);
        return gen.chance(10)
                ? new Arithmetic.Negated(tree(depth - 1), place)
                : new Arithmetic.OfDecimals(
                        operator, tree(depth - 1), tree(depth - 1), decimal, place);
    }

    @Test
    void theyAreTheSame() {
        int computed = 0;
        for (int i = 0; i < 50_000; i++) {
            fill();
            Scalar tree = tree(gen.below(4));
            BigDecimal expected = tree.evalDecimal(frame);
            if (tree.digitsScale() == Scalar.NO_SCALE) {
                continue;
            }
            long digits = tree.evalDigits(frame);
            if (frame.isNull) {
                assertNull(expected, tree.toString());
            } else if (digits != Row.NO_DIGITS) {
                assertEquals(
                        expected, BigDecimal.valueOf(digits, tree.digitsScale()), tree.toString());
                computed++;
            }
            Tuple stored = new Tuple(1);
            tree.store(stored, 0, frame);
            assertEquals(expected, stored.decimalAt(0), tree.toString());
        }
        assertTrue(computed > 5_000, "computed as longs: " + computed);
    }

    @Test
    void comparisonsAreTheSame() {
        Operator[] operators = {
            Operator.EQUAL, Operator.NOT_EQUAL, Operator.LESS, Operator.GREATER_OR_EQUAL
        };
        for (int i = 0; i < 50_000; i++) {
            fill();
            Scalar a = tree(gen.below(2));
            Scalar b = gen.chance(20) ? a : tree(gen.below(2));
            BigDecimal left = a.evalDecimal(frame);
            BigDecimal right = b.evalDecimal(frame);
            boolean isNull = left == null || right == null;
            Operator operator = operators[gen.below(operators.length)];
            int expected =
                    isNull
                            ? Scalar.UNKNOWN
                            : Condition.Comparison.holds(operator, compare(left, right));
            assertEquals(
                    expected,
                    new Condition.Comparison(operator, a, b).evalTruth(frame),
                    a + " " + b);
            Scalar c = tree(gen.below(2));
            BigDecimal high = c.evalDecimal(frame);
            int above = isNull ? Scalar.UNKNOWN : compare(left, right) >= 0 ? 1 : 0;
            int below =
                    left == null || high == null
                            ? Scalar.UNKNOWN
                            : compare(left, high) <= 0 ? 1 : 0;
            int between =
                    left == null
                            ? Scalar.UNKNOWN
                            : above == 0 || below == 0 ? 0 : Math.min(above, below);
            assertEquals(between, new Condition.Between(a, b, c).evalTruth(frame));
        }
    }

    private static int compare(@Nullable BigDecimal a, @Nullable BigDecimal b) {
        assertNotNull(a);
        assertNotNull(b);
        return a.compareTo(b);
    }

    @Test
    void sumsAreTheSameEvenWhereLongsOverflow() {
        try (TestDatabase database = new TestDatabase()) {
            database.answer("CREATE TABLE t (g INTEGER, a DECIMAL(18, 2), b DECIMAL(18, 4))");
            BigDecimal sum = BigDecimal.ZERO;
            BigDecimal products = BigDecimal.ZERO;
            StringBuilder insert = new StringBuilder("INSERT INTO t VALUES ");
            for (int i = 0; i < 300; i++) {
                BigDecimal a =
                        value(new Type(Type.Name.DECIMAL, 18, 2)).setScale(2, RoundingMode.DOWN);
                BigDecimal b =
                        value(new Type(Type.Name.DECIMAL, 18, 4)).setScale(4, RoundingMode.DOWN);
                insert.append(i == 0 ? "" : ", ")
                        .append("(1, ")
                        .append(a)
                        .append(", ")
                        .append(b)
                        .append(")");
                sum = sum.add(a);
                products = products.add(a.multiply(BigDecimal.ONE.subtract(b)));
            }
            database.answer(insert.toString());
            assertEquals(
                    sum + "|" + products,
                    database.answer("SELECT SUM(a), SUM(a * (1 - b)) FROM t"));
            assertEquals(
                    "1|" + sum + "|" + products,
                    database.answer("SELECT g, SUM(a), SUM(a * (1 - b)) FROM t GROUP BY g"));
        }
    }

    @Test
    void simplePatternsMatchAsAllDo() {
        int matched = 0;
        for (int i = 0; i < 100_000; i++) {
            String text = word("abc", 8);
            String pattern = word("ab%%", 6);
            LikeParts parts =
                    LikeParts.of(Scalar.Constant.of(Type.varchar(0), pattern), null, false);
            assertNotNull(parts);
            boolean expected = LikePattern.matches(text, pattern, LikePattern.USUAL_ESCAPE, false);
            assertEquals(expected, parts.match(text), text + " LIKE " + pattern);
            matched += expected ? 1 : 0;
        }
        assertTrue(matched > 5_000, "matched: " + matched);
        for (String other : List.of("a_b", "a\\%", "\ud83d\ude00%")) {
            assertNull(LikeParts.of(Scalar.Constant.of(Type.varchar(0), other), null, false));
        }
    }

    private String word(String letters, int lengthMax) {
        StringBuilder word = new StringBuilder();
        int length = gen.below(lengthMax + 1);
        for (int i = 0; i < length; i++) {
            word.append(letters.charAt(gen.below(letters.length())));
        }
        return word.toString();
    }
}
