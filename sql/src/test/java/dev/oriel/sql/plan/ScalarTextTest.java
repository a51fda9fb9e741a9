package dev.oriel.sql.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.plan.Scalar.Constant;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Expressions have equal identities only if they mean the same, and so have the same type.
class ScalarTextTest {
    private static final SqlText.Place PLACE = new SqlText("").at(0);
    private static final Type INTERVAL = Typing.INTERVAL;
    private static final Type TIMESTAMP = Type.of(Type.Name.TIMESTAMP);

    private static Scalar column(int at, Type type, String name) {
        return new Scalar.ColumnRef(at, type, true, name);
    }

    /// No two of these are the same.
    private static List<Scalar> different() {
        List<Scalar> all = new ArrayList<>();
        for (Type.Name name :
                List.of(
                        Type.Name.TINYINT,
                        Type.Name.SMALLINT,
                        Type.Name.INTEGER,
                        Type.Name.BIGINT)) {
            all.add(Constant.of(Type.of(name), 1L));
            all.add(Constant.ofNull(Type.of(name)));
        }
        all.add(Constant.of(Typing.DECIMAL, BigDecimal.ONE));
        all.add(Constant.of(new Type(Type.Name.DECIMAL, 3, 1), BigDecimal.ONE));
        all.add(Constant.of(Typing.DOUBLE, 1.0));
        all.add(Constant.of(Type.of(Type.Name.REAL), 1.0));
        all.add(Constant.of(Typing.TEXT, "1"));
        all.add(Constant.of(new Type(Type.Name.VARCHAR, 9, 0), "1"));
        Scalar integer = column(0, Typing.INTEGER, "a");
        Scalar other = column(1, Typing.INTEGER, "b");
        all.add(new Arithmetic.OfLongs(Operator.ADD, integer, other, Typing.INTEGER, PLACE));
        all.add(new Arithmetic.OfLongs(Operator.ADD, integer, other, Typing.BIGINT, PLACE));
        all.add(column(1, Typing.INTEGER, "a#0:INTEGER + b"));
        Scalar text = column(2, Typing.TEXT, "t");
        Type brief = new Type(Type.Name.VARCHAR, 1, 0);
        all.add(new Conversion(text, brief, true, PLACE));
        all.add(new Conversion(text, brief, false, PLACE));
        Scalar span = column(3, INTERVAL, "s");
        Scalar moment = column(4, TIMESTAMP, "m");
        for (Operator operator : List.of(Operator.ADD, Operator.SUBTRACT)) {
            all.add(SpanLibrary.arithmetic(operator, span, span, PLACE));
            all.add(SpanLibrary.arithmetic(operator, moment, span, PLACE));
        }
        for (Operator operator : List.of(Operator.MULTIPLY, Operator.DIVIDE)) {
            all.add(SpanLibrary.arithmetic(operator, span, integer, PLACE));
        }
        all.add(SpanLibrary.negated(span, PLACE));
        all.add(SpanLibrary.between(moment, moment, PLACE));
        return all;
    }

    @Test
    void whatMeansSomethingElseHasAnotherIdentity() {
        Map<String, Scalar> byIdentity = new HashMap<>();
        for (Scalar scalar : different()) {
            Scalar same = byIdentity.put(ScalarText.identity(scalar), scalar);
            assertEquals(null, same, () -> "the identity of " + scalar);
        }
    }

    @Test
    void anIdentityEndsWithTheTypeOfTheWholeAndNoTextForPeopleDoes() {
        for (Scalar scalar : different()) {
            assertTrue(ScalarText.identity(scalar).endsWith(":" + scalar.type()));
            assertFalse(ScalarText.of(scalar).endsWith(":" + scalar.type()));
        }
    }
}
