package dev.oriel.sql.text;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The words of the grammar. A reserved word is a name only in double quotes. The others are keywords only in
/// positions of the grammar that expect them, and names elsewhere.
public enum Keyword {
    ALL(true),
    AND(true),
    ANY(false),
    ARRAY(false),
    AS(true),
    ASC(true),
    BEGIN(false),
    BETWEEN(false),
    BOTH(false),
    BTREE(false),
    BY(false),
    CASE(true),
    CAST(true),
    COMMIT(false),
    CONSTRAINT(true),
    CREATE(true),
    CROSS(true),
    CURRENT_DATE(true),
    CURRENT_TIME(true),
    CURRENT_TIMESTAMP(true),
    DATE(false),
    DELETE(false),
    DESC(true),
    DISTINCT(true),
    DROP(false),
    ELSE(true),
    END(true),
    ESCAPE(false),
    EXCEPT(true),
    EXISTS(false),
    EXPLAIN(false),
    FALSE(true),
    FETCH(true),
    FIRST(false),
    FOR(true),
    FROM(true),
    FULL(true),
    GROUP(true),
    HAVING(true),
    IF(false),
    ILIKE(true),
    IN(true),
    INDEX(false),
    INNER(true),
    INSERT(false),
    INTERSECT(true),
    INTO(true),
    IS(true),
    JOIN(true),
    KEY(false),
    LAST(false),
    LATERAL(true),
    LEADING(false),
    LEFT(true),
    LIKE(true),
    LIMIT(true),
    LOCALTIMESTAMP(true),
    MATERIALIZED(false),
    NATURAL(true),
    NEXT(false),
    NOT(true),
    NULL(true),
    NULLS(false),
    OFFSET(true),
    ON(true),
    ONLY(false),
    OR(true),
    ORDER(true),
    OUTER(false),
    PRIMARY(true),
    QUALIFY(true),
    RECURSIVE(false),
    RELEASE(false),
    RETURNING(true),
    RIGHT(true),
    ROLLBACK(false),
    ROW(false),
    ROWS(false),
    SAVEPOINT(false),
    SELECT(true),
    SET(false),
    SOME(false),
    START(false),
    SUBSTRING(false),
    TABLE(true),
    THEN(true),
    TIME(false),
    TIMESTAMP(false),
    TO(true),
    TRAILING(false),
    TRANSACTION(false),
    TRIM(false),
    TRUE(true),
    TRUNCATE(false),
    UNION(true),
    UNIQUE(true),
    UNKNOWN(false),
    UPDATE(false),
    USING(true),
    VALUES(true),
    WHEN(true),
    WHERE(true),
    WINDOW(true),
    WITH(true),
    WITHOUT(false),
    WORK(false),
    ZONE(false);

    private static final Map<String, Keyword> BY_NAME = byName();

    private final boolean reserved;

    Keyword(boolean reserved) {
        this.reserved = reserved;
    }

    public boolean reserved() {
        return reserved;
    }

    /// The keyword that equals `word`, ignoring case, or null.
    static @Nullable Keyword of(String word) {
        return BY_NAME.get(word.toUpperCase(Locale.ROOT));
    }

    /// Whether `name` needs double quotes to be a name.
    public static boolean isReserved(String name) {
        Keyword keyword = of(name);
        return keyword != null && keyword.reserved;
    }

    private static Map<String, Keyword> byName() {
        Map<String, Keyword> byName = new HashMap<>();
        for (Keyword keyword : values()) {
            byName.put(keyword.name(), keyword);
        }
        return byName;
    }
}
