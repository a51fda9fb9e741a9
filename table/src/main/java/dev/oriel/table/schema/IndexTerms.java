package dev.oriel.table.schema;

import dev.oriel.table.Expressions;
import dev.oriel.table.Expressions.Prepared;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Computes the entry of a row in an index with [Index.Terms]. To be used by one thread at a time.
public final class IndexTerms {
    private final Prepared[] expressions;
    private final @Nullable Prepared condition;
    private final Tuple values;
    private final Tuple truth = new Tuple(1);

    private IndexTerms(Table table, Index index, Index.Terms terms, Expressions language) {
        List<String> texts = terms.expressions();
        this.expressions = new Prepared[texts.size()];
        for (int i = 0; i < expressions.length; i++) {
            ColumnDefault filling = new ColumnDefault.Generated(texts.get(i));
            Column target =
                    new Column(
                            index.name(), terms.types().get(i), true, filling, Column.Role.PLAIN);
            expressions[i] = language.prepare(table, texts.get(i), target);
        }
        this.condition =
                terms.condition() == null ? null : language.prepare(table, terms.condition(), null);
        this.values = new Tuple(expressions.length);
    }

    /// The terms of `index`; null if it holds columns of all rows.
    public static @Nullable IndexTerms of(Table table, Index index, Expressions language) {
        Index.Terms terms = index.terms();
        return terms == null ? null : new IndexTerms(table, index, terms, language);
    }

    /// The values of `row` in the index, until the next call; null if the index does not hold the row.
    public @Nullable Row of(TableTransaction transaction, Row row) {
        if (condition != null) {
            condition.evaluate(transaction, row, truth, 0);
            if (truth.isNull(0) || truth.longAt(0) == 0) {
                return null;
            }
        }
        for (int i = 0; i < expressions.length; i++) {
            expressions[i].evaluate(transaction, row, values, i);
        }
        return values;
    }
}
