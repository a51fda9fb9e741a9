package dev.oriel.conformance.random;

import dev.oriel.testkit.Gen;
import java.util.ArrayList;
import java.util.List;

/// Random triggers, in Oriel's form and as functions of PL/pgSQL. Each writes into a log when it fires, so the order
/// can be compared.
final class TriggerBodies {
    /// A definition in both forms.
    record Pair(String ours, String theirs) {
        static Pair of(String both) {
            return new Pair(both, both);
        }
    }

    private final Gen gen;
    private final List<Pair> made = new ArrayList<>();

    /// Names of the triggers, with the table of each behind ON.
    private final List<String> names = new ArrayList<>();

    TriggerBodies(Gen gen) {
        this.gen = gen;
    }

    List<Pair> made() {
        return made;
    }

    List<String> names() {
        return names;
    }

    /// A table for which triggers are made.
    ///
    /// @param below tables that its triggers may change
    /// @param extra a column beside `id` and `n`
    /// @param parts whether it is partitioned
    /// @param follows whether its rows follow a key. PostgreSQL fires triggers for such a statement even if there are
    ///     no rows
    record Target(String name, String extra, List<String> below, boolean parts, boolean follows) {}

    void add(Target on) {
        String name = gen.pick(List.of("a", "b", "k", "x", "y")) + names.size();
        boolean perRow = gen.chance(65);
        boolean before = gen.chance(perRow ? 55 : 35);
        List<String> events = on.follows && !perRow ? List.of("INSERT") : events();
        boolean inserts = events.contains("INSERT");
        boolean deletes = events.contains("DELETE");
        String event = String.join(" OR ", events);
        boolean of = !inserts && !deletes && gen.chance(35);
        boolean tables =
                !before && events.size() == 1 && !of && gen.chance(55) && !(on.parts && perRow);
        if (of) {
            event += " OF " + gen.pick(List.of("n", on.extra, "n, " + on.extra));
        }
        String old = !tables || inserts ? "" : " OLD TABLE AS gone";
        String fresh = !tables || deletes ? "" : " NEW TABLE AS fresh";
        String head =
                "CREATE TRIGGER %s %s %s ON %s%s%s%s%s"
                        .formatted(
                                name,
                                before ? "BEFORE" : "AFTER",
                                event,
                                on.name,
                                tables ? " REFERENCING" : "",
                                old,
                                fresh,
                                perRow ? " FOR EACH ROW" : " FOR EACH STATEMENT");
        if (perRow && gen.chance(35)) {
            head += " WHEN (" + condition(!inserts, !deletes) + ")";
        }
        List<String> steps = new ArrayList<>();
        steps.add(log(name, perRow));
        List<String> sets = new ArrayList<>();
        if (perRow && before && !deletes && gen.chance(60)) {
            sets.add(
                    gen.pick(
                            List.of(
                                    "NEW.n = NEW.n + 1",
                                    "NEW.n = COALESCE(NEW.n, 0) * 2 % 70",
                                    "NEW.n = NEW.id + (SELECT COUNT(*) FROM total)",
                                    "NEW.n = NULL")));
        }
        int more = gen.below(3);
        for (int i = 0; i < more; i++) {
            steps.add(step(on, name, perRow, !old.isEmpty(), !fresh.isEmpty()));
        }
        add(name, head, steps, sets, perRow && before, on.name);
    }

    private List<String> events() {
        List<String> all = new ArrayList<>(List.of("INSERT", "UPDATE", "DELETE"));
        if (gen.chance(50)) {
            return List.of(gen.pick(all));
        }
        if (gen.chance(70)) {
            all.remove(gen.below(3));
        }
        return all;
    }

    private String condition(boolean hasOld, boolean hasNew) {
        List<String> all = new ArrayList<>();
        if (hasOld) {
            all.add("OLD.n < " + gen.below(40));
            all.add("OLD.n IS NULL");
        }
        if (hasNew) {
            all.add("NEW.n > " + gen.below(40));
            all.add("NEW.id % 2 = 1");
        }
        if (hasOld && hasNew) {
            all.add("OLD.n IS DISTINCT FROM NEW.n");
            all.add("OLD.id <> NEW.id");
        }
        return all.isEmpty() ? "1 = 1" : gen.pick(all);
    }

    private static String text(String value) {
        return "COALESCE(CAST(" + value + " AS VARCHAR(20)), '-')";
    }

    private static String log(String name, boolean perRow) {
        if (!perRow) {
            return "INSERT INTO log (what) VALUES ('" + name + " statement')";
        }
        return "INSERT INTO log (what) VALUES ('%s #' || %s || ' ' || %s || ' > ' || %s || ' ' || %s)"
                .formatted(
                        name,
                        "COALESCE(CAST(OLD.id AS VARCHAR(20)), CAST(NEW.id AS VARCHAR(20)), '-')",
                        text("OLD.n"),
                        text("NEW.id"),
                        text("NEW.n"));
    }

    private String step(Target on, String name, boolean perRow, boolean old, boolean fresh) {
        List<String> all = new ArrayList<>();
        String row =
                perRow ? gen.pick(List.of("COALESCE(NEW.id, OLD.id)", "NEW.id", "OLD.id")) : "3";
        String number =
                perRow ? gen.pick(List.of("COALESCE(NEW.n, 1)", "COALESCE(OLD.n, 2)")) : "5";
        all.add("UPDATE total SET n = n + " + number + " WHERE k = 1");
        all.add(
                "INSERT INTO total VALUES (COALESCE(%s, 0) %% 5, %s) ON CONFLICT (k) DO UPDATE SET n ="
                                .formatted(row, number)
                        + " total.n + EXCLUDED.n");
        all.add(
                "INSERT INTO log (what) SELECT '%s sees ' || COUNT(*) || ' ' || COALESCE(SUM(n), 0) FROM %s"
                        .formatted(
                                name,
                                gen.chance(60) ? on.name : gen.pick(List.of("p", "c", "total"))));
        all.add("CALL bump(" + row + ", " + number + ")");
        for (String below : on.below) {
            all.add("UPDATE " + below + " SET n = COALESCE(n, 0) + 1 WHERE id = " + row);
            all.add("DELETE FROM " + below + " WHERE id = " + row + " + 1");
            all.add(
                    "INSERT INTO "
                            + below
                            + " (id, n) SELECT "
                            + row
                            + ", 7 WHERE "
                            + row
                            + " NOT IN (SELECT id FROM "
                            + below
                            + ")");
        }
        for (int i = 0; i < 3; i++) {
            if (old) {
                all.add(
                        "INSERT INTO log (what) SELECT '"
                                + name
                                + " gone ' || COUNT(*) || ' ' || COALESCE(SUM(n), 0) FROM gone");
                all.add("DELETE FROM kept WHERE id IN (SELECT id FROM gone)");
            }
            if (fresh) {
                all.add(
                        "INSERT INTO log (what) SELECT '"
                                + name
                                + " fresh ' || COUNT(*) || ' ' || COALESCE(SUM(n), 0) FROM fresh");
                all.add(
                        "INSERT INTO kept SELECT id, n FROM fresh ON CONFLICT (id) DO UPDATE SET n ="
                                + " EXCLUDED.n");
            }
            if (old && fresh) {
                all.add(
                        "UPDATE total SET n = total.n + f.n FROM fresh AS f JOIN gone AS g ON g.id ="
                                + " f.id WHERE total.k = f.id % 3 AND f.n IS NOT NULL");
            }
        }
        return gen.pick(all);
    }

    private void add(
            String name,
            String head,
            List<String> steps,
            List<String> sets,
            boolean changes,
            String on) {
        StringBuilder ours = new StringBuilder(head).append(" BEGIN ATOMIC ");
        StringBuilder theirs =
                new StringBuilder("CREATE FUNCTION f_" + name)
                        .append("() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN ");
        for (String step : steps) {
            ours.append(step).append("; ");
            theirs.append(step).append("; ");
        }
        for (String set : sets) {
            ours.append("SET ").append(set).append("; ");
            theirs.append(set.replaceFirst("=", ":=")).append("; ");
        }
        if (gen.chance(5)) {
            ours.append("SIGNAL SQLSTATE '45000'; ");
            theirs.append("RAISE EXCEPTION USING ERRCODE = '45000'; ");
        }
        ours.append("END");
        theirs.append(
                changes
                        ? "IF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW; END $f$"
                        : "RETURN NULL; END $f$");
        names.add(name + " ON " + on);
        made.add(
                new Pair(
                        ours.toString(),
                        theirs + "; " + head + " EXECUTE FUNCTION f_" + name + "()"));
    }

    /// Triggers in the place of changes of the view `name`, which shows rows of `table`.
    void addInstead(String name, String table) {
        for (String event : List.of("INSERT", "UPDATE", "DELETE")) {
            String trigger = "i" + names.size();
            List<String> steps = new ArrayList<>();
            steps.add(log(trigger, true));
            steps.add(
                    switch (event) {
                        case "INSERT" ->
                                "INSERT INTO "
                                        + table
                                        + " (id, n) VALUES (NEW.id, NEW.n)"
                                        + (gen.chance(50) && !table.equals("m")
                                                ? " ON CONFLICT DO NOTHING"
                                                : "");
                        case "UPDATE" ->
                                "UPDATE " + table + " SET n = NEW.n, id = NEW.id WHERE id = OLD.id";
                        default -> "DELETE FROM " + table + " WHERE id = OLD.id";
                    });
            if (gen.chance(30)) {
                steps.add(
                        "INSERT INTO log (what) SELECT 'view ' || COUNT(*) || ' ' ||"
                                + " COALESCE(SUM(n), 0) FROM "
                                + name);
            }
            String head =
                    "CREATE TRIGGER "
                            + trigger
                            + " INSTEAD OF "
                            + event
                            + " ON "
                            + name
                            + " FOR EACH ROW";
            String body = String.join("; ", steps);
            names.add(trigger + " ON " + name);
            made.add(
                    new Pair(
                            head + " BEGIN ATOMIC " + body + "; END",
                            "CREATE FUNCTION f_"
                                    + trigger
                                    + "() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN "
                                    + body
                                    + "; RETURN "
                                    + (event.equals("DELETE") ? "OLD" : "NEW")
                                    + "; END $f$; "
                                    + head
                                    + " EXECUTE FUNCTION f_"
                                    + trigger
                                    + "()"));
        }
    }
}
