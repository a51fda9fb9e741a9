package dev.oriel.sql.rows;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The joined row: a view of the tables of a join side by side, whose slots are set to the tables' current rows.
public final class WideRow implements Row {
    private final Row[] slots;
    private final int[] slotOf;
    private final int[] columnOf;
    private final int[] firstOf;
    private final Row nulls;

    public WideRow(List<List<Type>> types) {
        int width = 0;
        for (List<Type> slot : types) {
            width += slot.size();
        }
        this.slots = new Row[types.size()];
        this.slotOf = new int[width];
        this.columnOf = new int[width];
        this.firstOf = new int[types.size()];
        int next = 0;
        int widest = 0;
        for (int slot = 0; slot < slots.length; slot++) {
            firstOf[slot] = next;
            for (int i = 0; i < types.get(slot).size(); i++) {
                slotOf[next] = slot;
                columnOf[next++] = i;
            }
            widest = Math.max(widest, types.get(slot).size());
        }
        this.nulls = new Tuple(widest);
        Arrays.fill(slots, nulls);
    }

    /// Position of the first column of `slot`.
    public int first(int slot) {
        return firstOf[slot];
    }

    /// Slot of column `column`.
    public int slot(int column) {
        return slotOf[column];
    }

    @SuppressWarnings("ReferenceEquality") // a store costs the collector's barrier
    public void set(int slot, Row row) {
        if (slots[slot] != row) {
            slots[slot] = row;
        }
    }

    /// Sets the slots to NULLs.
    public void clear(int[] which) {
        for (int slot : which) {
            slots[slot] = nulls;
        }
    }

    @Override
    public boolean isNull(int column) {
        return slots[slotOf[column]].isNull(columnOf[column]);
    }

    @Override
    public long longAt(int column) {
        return slots[slotOf[column]].longAt(columnOf[column]);
    }

    @Override
    public double doubleAt(int column) {
        return slots[slotOf[column]].doubleAt(columnOf[column]);
    }

    @Override
    public @Nullable BigDecimal decimalAt(int column) {
        return slots[slotOf[column]].decimalAt(columnOf[column]);
    }

    @Override
    public long digitsAt(int column, int scale) {
        return slots[slotOf[column]].digitsAt(columnOf[column], scale);
    }

    @Override
    public void copyDecimal(int column, Tuple out, int to) {
        slots[slotOf[column]].copyDecimal(columnOf[column], out, to);
    }

    @Override
    public @Nullable String symbolAt(int column) {
        return slots[slotOf[column]].symbolAt(columnOf[column]);
    }

    @Override
    public @Nullable String textAt(int column) {
        return slots[slotOf[column]].textAt(columnOf[column]);
    }

    @Override
    public byte @Nullable [] bytesAt(int column) {
        return slots[slotOf[column]].bytesAt(columnOf[column]);
    }
}
