package dev.oriel.sql.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Blocks return the rows that were put in.
class RowBlocksTest {
    private static final List<Type> TYPES =
            List.of(
                    Type.of(Type.Name.BIGINT),
                    new Type(Type.Name.DECIMAL, 12, 2),
                    Type.varchar(50),
                    Type.of(Type.Name.DOUBLE),
                    Type.of(Type.Name.DECIMAL),
                    Type.of(Type.Name.VARBINARY),
                    Type.of(Type.Name.DATE));

    @Test
    void rowsComeOutAsTheyWereKept() {
        Gen gen = new Gen(Seed.of("RowBlocksTest", 1));
        RowBlocks blocks = new RowBlocks(TYPES);
        int[] columns = {0, 1, 2, 3, 4, 5, 6};
        Row view = blocks.view(columns);
        Row backwards = blocks.view(new int[] {6, 5, 4, 3, 2, 1, 0});
        for (int count : new int[] {3, 5_000, 40, 1_025}) {
            List<Tuple> rows = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Tuple row = row(gen);
                rows.add(row);
                blocks.add(row, columns);
            }
            assertEquals(count, blocks.count());
            for (int i = 0; i < count; i++) {
                int number = gen.below(count);
                blocks.show(number);
                for (int column = 0; column < TYPES.size(); column++) {
                    assertSame(rows.get(number), view, column, column);
                    assertSame(rows.get(number), backwards, column, 6 - column);
                }
            }
            blocks.clear();
            assertEquals(0, blocks.count());
        }
    }

    private static void assertSame(Tuple expected, Row found, int column, int at) {
        assertEquals(expected.isNull(column), found.isNull(at));
        if (expected.isNull(column)) {
            return;
        }
        switch (TYPES.get(column).shape()) {
            case LONG -> assertEquals(expected.longAt(column), found.longAt(at));
            case DOUBLE ->
                    assertEquals(
                            Double.doubleToRawLongBits(expected.doubleAt(column)),
                            Double.doubleToRawLongBits(found.doubleAt(at)));
            case DECIMAL -> {
                assertEquals(expected.decimalAt(column), found.decimalAt(at));
                assertEquals(expected.digitsAt(column, 2), found.digitsAt(at, 2));
                assertEquals(expected.digitsAt(column, 3), found.digitsAt(at, 3));
                Tuple copy = new Tuple(1);
                found.copyDecimal(at, copy, 0);
                assertEquals(expected.decimalAt(column), copy.decimalAt(0));
            }
            case TEXT, FOLDED -> assertEquals(expected.textAt(column), found.textAt(at));
            case BYTES ->
                    assertEquals(
                            Arrays.toString(expected.bytesAt(column)),
                            Arrays.toString(Objects.requireNonNull(found.bytesAt(at))));
        }
    }

    private static Tuple row(Gen gen) {
        Tuple row = new Tuple(TYPES.size());
        if (gen.chance(80)) {
            row.setLong(0, gen.anyLong());
        }
        if (gen.chance(80)) {
            row.setDigits(1, gen.below(1_000_000), gen.chance(90) ? 2 : 3);
        }
        if (gen.chance(80)) {
            row.setText(2, gen.text(20));
        }
        if (gen.chance(80)) {
            row.setDouble(3, gen.anyDouble());
        }
        if (gen.chance(80)) {
            row.setDecimal(4, new BigDecimal(gen.anyLong()).movePointLeft(gen.below(30)));
        }
        if (gen.chance(80)) {
            row.setBytes(5, gen.bytes(20));
        }
        if (gen.chance(80)) {
            row.setLong(6, gen.below(20_000));
        }
        return row;
    }
}
