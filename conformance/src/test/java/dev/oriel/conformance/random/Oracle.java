package dev.oriel.conformance.random;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A rule by which a query can be asked in another way with the same answer, so that no second
/// database is needed to find a wrong one.
///
/// Those of partitions are from "Finding Bugs in Database Systems via Query Partitioning" (Rigger and
/// Su, 2020): a condition is true, false or unknown for each row, and the three parts are the whole.
/// [#COUNTED] is NoREC of "Detecting Optimization Bugs in Database Engines via Non-optimizing
/// Reference Engine Construction" (2020): how many rows a condition lets through is how often it is
/// true where it stands in the select list, where no key can be used.
enum Oracle {
    WHERE {
        @Override
        Piece question(Queries queries, Asking asking) {
            return asking.filtered(queries).piece();
        }

        @Override
        @Nullable String difference(Connection connection, Piece query) {
            return parts(connection, query, WHERE_CLAUSE, " WHERE $1");
        }
    },
    HAVING {
        @Override
        Piece question(Queries queries, Asking asking) {
            return asking.grouped(queries).piece();
        }

        @Override
        @Nullable String difference(Connection connection, Piece query) {
            return parts(connection, query, HAVING_CLAUSE, " HAVING $1");
        }
    },
    DISTINCT {
        @Override
        Piece question(Queries queries, Asking asking) {
            return asking.filtered(queries).distinct(true).piece();
        }

        @Override
        @Nullable String difference(Connection connection, Piece query) {
            Piece condition = condition(query, WHERE_CLAUSE);
            if (condition == null) {
                return null;
            }
            List<Answer> answers = new ArrayList<>();
            answers.add(ask(connection, query.with(WHERE_CLAUSE, Piece.NONE)));
            List<String> rows = new ArrayList<>();
            for (Piece part : partition(query, WHERE_CLAUSE, " WHERE $1", condition)) {
                Answer answer = ask(connection, part);
                answers.add(answer);
                rows.addAll(answer.rows());
            }
            boolean shown = !answers.getFirst().failed();
            if (shown && query.columns().contains(Sort.DOUBLE)) { // different ones may look alike
                answers.set(0, Answer.of(answers.getFirst().rows().stream().distinct().toList()));
            }
            return compared(answers, Answer.of(rows.stream().distinct().toList()));
        }
    },
    AGGREGATE {
        @Override
        Piece question(Queries queries, Asking asking) {
            return asking.aggregated(queries).piece();
        }

        @Override
        @Nullable String difference(Connection connection, Piece query) {
            Piece condition = condition(query, WHERE_CLAUSE);
            if (condition == null) {
                return null;
            }
            List<Piece> items = query.parts().get(Select.ITEMS).parts();
            if (items.isEmpty()) { // made smaller
                return null;
            }
            Piece item = items.getFirst();
            String form =
                    item.form().contains(" AS ") ? item.parts().getFirst().form() : item.form();
            String outer =
                    form.startsWith("COUNT")
                            ? "SUM"
                            : form.substring(0, Math.max(0, form.indexOf('(')));
            List<Piece> parts = partition(query, WHERE_CLAUSE, " WHERE $1", condition);
            String sums =
                    "SELECT %s(u.c0) FROM (%s UNION ALL %s UNION ALL %s) AS u"
                            .formatted(outer, parts.get(0), parts.get(1), parts.get(2));
            Answer whole = ask(connection, query.with(WHERE_CLAUSE, Piece.NONE));
            Answer summed = Answer.of(connection, sums, query.columns(), false);
            return compared(List.of(whole, summed), summed);
        }
    },
    COUNTED {
        @Override
        Piece question(Queries queries, Asking asking) {
            return asking.filtered(queries).piece();
        }

        @Override
        @Nullable String difference(Connection connection, Piece query) {
            Piece condition = condition(query, WHERE_CLAUSE);
            if (condition == null) {
                return null;
            }
            Piece count = Piece.leaf(Sort.BIGINT, "COUNT(*)");
            Answer filtered = ask(connection, query.with(Select.ITEMS, items(count)));
            Answer truths =
                    ask(
                            connection,
                            query.with(Select.ITEMS, items(condition))
                                    .with(WHERE_CLAUSE, Piece.NONE));
            long trues = truths.rows().stream().filter("true"::equals).count();
            return compared(List.of(filtered, truths), Answer.of(List.of(Long.toString(trues))));
        }

        private Piece items(Piece item) {
            return Piece.list(", ", List.of(item));
        }
    },
    /// A query answers the same whatever keys its tables have.
    KEYS {
        @Override
        Piece question(Queries queries, Asking asking) {
            return queries.whole();
        }

        @Override
        @Nullable String difference(Connection connection, Piece query) {
            boolean ordered = query.form().equals(Select.ORDERED);
            String sql = query.sql(Dialect.WITHOUT_KEYS);
            Answer without = Answer.of(connection, sql, query.columns(), ordered);
            Answer with = Answer.of(connection, query.toString(), query.columns(), ordered);
            return compared(List.of(with, without), without);
        }
    },
    /// What is changed is what a query says before.
    CHANGED {
        @Override
        Piece question(Queries queries, Asking asking) {
            return asking.changed(queries).piece();
        }

        @Override
        @Nullable String difference(Connection connection, Piece query) {
            try {
                return Changes.difference(connection, query);
            } catch (SQLException failure) {
                return "error " + failure.getSQLState() + "\n" + failure.getMessage();
            }
        }
    },
    /// A query that fills a table puts there what it answers.
    STORED {
        @Override
        Piece question(Queries queries, Asking asking) {
            return queries.whole();
        }

        @Override
        @Nullable String difference(Connection connection, Piece query) {
            try {
                return Storing.difference(connection, query);
            } catch (SQLException failure) {
                return "error " + failure.getSQLState() + "\n" + failure.getMessage();
            }
        }
    },
    /// A query answers the same whether its values are written in it or given to it.
    PARAMETERS {
        @Override
        Piece question(Queries queries, Asking asking) {
            return asking.filtered(queries).piece();
        }

        @Override
        @Nullable String difference(Connection connection, Piece query) {
            if (Parameters.another(query)) {
                return null;
            }
            Answer written = ask(connection, query);
            Parameters parameters = Parameters.of(query);
            Answer given = Answer.of(connection, parameters, query.columns());
            return compared(List.of(written, given), given);
        }
    };

    static final int WHERE_CLAUSE = 3;
    static final int HAVING_CLAUSE = 5;

    /// A query that the rule can be held against.
    abstract Piece question(Queries queries, Asking asking);

    /// What is wrong, beginning with a line that says of what kind it is; null where nothing is, or
    /// where the rule says nothing about `query`.
    abstract @Nullable String difference(Connection connection, Piece query);

    private static @Nullable Piece condition(Piece query, int clause) {
        if (!query.form().equals(Select.FORM)) {
            return null;
        }
        List<Piece> parts = query.parts().get(clause).parts();
        return parts.isEmpty() ? null : parts.getFirst();
    }

    private static List<Piece> partition(Piece query, int clause, String form, Piece condition) {
        return List.of(
                query,
                query.with(
                        clause, Piece.clause(form, Piece.of(Sort.BOOLEAN, "(NOT $1)", condition))),
                query.with(
                        clause,
                        Piece.clause(form, Piece.of(Sort.BOOLEAN, "($1 IS NULL)", condition))));
    }

    private static @Nullable String parts(
            Connection connection, Piece query, int clause, String form) {
        Piece condition = condition(query, clause);
        if (condition == null) {
            return null;
        }
        List<Answer> answers = new ArrayList<>();
        answers.add(ask(connection, query.with(clause, Piece.NONE)));
        List<String> rows = new ArrayList<>();
        for (Piece part : partition(query, clause, form, condition)) {
            Answer answer = ask(connection, part);
            answers.add(answer);
            rows.addAll(answer.rows());
        }
        return compared(answers, Answer.of(rows));
    }

    private static Answer ask(Connection connection, Piece query) {
        return Answer.of(connection, query.toString(), query.columns(), false);
    }

    /// @param answers all that were given, that of the whole first
    private static @Nullable String compared(List<Answer> answers, Answer put) {
        for (Answer answer : answers) {
            if (answer.failed() && !answer.failedByValue()) {
                return "error " + answer.state() + "\n" + answer.message();
            }
        }
        if (answers.stream().anyMatch(Answer::failed)) {
            return null;
        }
        Answer whole = answers.getFirst();
        return whole.rows().equals(put.rows())
                ? null
                : "wrong rows\nwhole: " + whole + "\nparts: " + put;
    }
}
