package dev.oriel.graph.faces;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Expected contents of the database of a [Program], with its constraints, in ordered maps.
///
/// - `stock` is a map with a unique index over its values and a check on them.
/// - `accounts` are rows with a unique owner, a check, and a foreign key into the map (SET NULL).
/// - `notes` are rows with foreign keys to an account (CASCADE) and into the map (refused).
/// - `sessions` are entries of a bucket, which expire.
/// - `plain` is a map without constraints.
/// - `people` are vertices with a check, `friends` edges between them, at most one from one to another.
final class Model {
    static final long FORBIDDEN = 13;
    static final long SCORE_END = 90;

    final TreeMap<Long, Long> stock = new TreeMap<>();
    final TreeMap<Integer, Account> accounts = new TreeMap<>();
    final TreeMap<Long, Note> notes = new TreeMap<>();
    final TreeMap<String, Session> sessions = new TreeMap<>();
    final TreeMap<Long, String> plain = new TreeMap<>();
    final TreeMap<String, Long> people = new TreeMap<>();
    final TreeMap<String, Long> friends = new TreeMap<>();

    /// Maps created by the program, by name.
    final TreeMap<String, TreeMap<Long, Long>> made = new TreeMap<>();

    record Account(String owner, long balance, @Nullable Long item) {}

    record Note(int account, @Nullable Long item) {}

    /// @param expiresMicros 0 for never
    record Session(String value, long expiresMicros) {
        boolean isThere(long nowMicros) {
            return expiresMicros == 0 || expiresMicros > nowMicros;
        }
    }

    Model copy() {
        Model copy = new Model();
        copy.stock.putAll(stock);
        copy.accounts.putAll(accounts);
        copy.notes.putAll(notes);
        copy.sessions.putAll(sessions);
        copy.plain.putAll(plain);
        copy.people.putAll(people);
        copy.friends.putAll(friends);
        made.forEach((name, entries) -> copy.made.put(name, new TreeMap<>(entries)));
        return copy;
    }

    /// Becomes a copy of `other`.
    void set(Model other) {
        Model same = other.copy();
        replace(stock, same.stock);
        replace(accounts, same.accounts);
        replace(notes, same.notes);
        replace(sessions, same.sessions);
        replace(plain, same.plain);
        replace(people, same.people);
        replace(friends, same.friends);
        replace(made, same.made);
    }

    private static <K, V> void replace(Map<K, V> old, Map<K, V> next) {
        old.clear();
        old.putAll(next);
    }

    // All of these return whether the constraints permit the change; if not, nothing is changed.

    boolean putStock(long key, long value) {
        boolean taken =
                stock.entrySet().stream()
                        .anyMatch(entry -> entry.getKey() != key && entry.getValue() == value);
        if (taken || value == FORBIDDEN) {
            return false;
        }
        stock.put(key, value);
        return true;
    }

    boolean putStock(List<Map.Entry<Long, Long>> entries) {
        Model before = copy();
        for (Map.Entry<Long, Long> entry : entries) {
            if (!putStock(entry.getKey(), entry.getValue())) {
                set(before);
                return false;
            }
        }
        return true;
    }

    /// Notes forbid the removal; accounts forget the key.
    boolean removeStock(long from, long to) {
        Map<Long, Long> gone = stock.subMap(from, true, to, true);
        if (notes.values().stream()
                .anyMatch(note -> note.item != null && gone.containsKey(note.item))) {
            return false;
        }
        accounts.replaceAll((id, account) ->
                account.item != null && gone.containsKey(account.item)
                        ? new Account(account.owner, account.balance, null)
                        : account);
        gone.clear();
        return true;
    }

    /// Any reference to the key forbids the change.
    boolean rekeyStock(long from, long to) {
        Long value = stock.get(from);
        if (value == null || from == to) {
            return true;
        }
        boolean referred =
                notes.values().stream().anyMatch(note -> Objects.equals(note.item, from))
                        || accounts.values().stream()
                                .anyMatch(account -> Objects.equals(account.item, from));
        if (referred || stock.containsKey(to)) {
            return false;
        }
        stock.remove(from);
        stock.put(to, value);
        return true;
    }

    boolean putAccount(int id, Account account) {
        boolean taken =
                accounts.entrySet().stream()
                        .anyMatch(entry ->
                                entry.getKey() != id
                                        && entry.getValue().owner.equals(account.owner));
        if (taken
                || account.balance < 0
                || (account.item != null && !stock.containsKey(account.item))) {
            return false;
        }
        accounts.put(id, account);
        return true;
    }

    void removeAccount(int id) {
        if (accounts.remove(id) != null) {
            notes.values().removeIf(note -> note.account == id);
        }
    }

    boolean addNote(long id, Note note) {
        if (!accounts.containsKey(note.account)
                || (note.item != null && !stock.containsKey(note.item))) {
            return false;
        }
        return notes.putIfAbsent(id, note) == null;
    }

    /// The session at that time; null if there is none.
    @Nullable Session session(String key, long nowMicros) {
        Session session = sessions.get(key);
        return session != null && session.isThere(nowMicros) ? session : null;
    }

    /// The key of an edge.
    static String friends(String from, String to) {
        return from + ">" + to;
    }

    boolean putPerson(String id, long score) {
        if (score >= SCORE_END) {
            return false;
        }
        people.put(id, score);
        return true;
    }

    void removePerson(String id) {
        people.remove(id);
        friends.keySet().removeIf(key -> key.startsWith(id + ">") || key.endsWith(">" + id));
    }
}
