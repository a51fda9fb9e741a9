package dev.oriel.server;

import dev.oriel.Database;
import dev.oriel.internal.Layers;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.UsageException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// The users of a database over the network, and their rights. Users are kept in the database, in two tables that
/// SQL reads:
///
/// ```sql
/// CREATE TABLE server_user (
///     name         VARCHAR(100) PRIMARY KEY,
///     scram_sha1   VARCHAR(400) NOT NULL,  -- SCRAM's stored secret for each hash;
///     scram_sha256 VARCHAR(400) NOT NULL,  -- it cannot be used to log in
///     scram_sha512 VARCHAR(400) NOT NULL);
/// CREATE TABLE server_right (
///     user_name    VARCHAR(100),
///     bucket       VARCHAR(100),           -- in lower case; * for all that are not named
///     role         VARCHAR(5) NOT NULL,    -- READ, WRITE or ADMIN
///     PRIMARY KEY (user_name, bucket));
/// ```
/// Servers of this process see a change at once if it is made here, and within a second if it is made through SQL.
/// Safe for use by any number of threads, for as long as the database's handle is open.
public final class Users {
    /// Least length of a password in the command and over HTTP: at one guess in five seconds all pairs of letters
    /// are tried within an hour. Programs may choose shorter ones.
    public static final int PASSWORD_CHARS_MIN = 4;

    private static final int NAME_CHARS_MAX = 100;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Database database;
    private final Watchers watchers;

    /// Listeners for changes.
    private static final class Watchers {
        final List<Runnable> all = new CopyOnWriteArrayList<>();
    }

    /// The stored form of a user.
    ///
    /// @param secrets stored secrets of the password by hash, as Java's Mac names it
    record Kept(User user, Map<String, String> secrets) {}

    private Users(Database database) {
        this.database = database;
        this.watchers = Layers.tables(database).attached("server.users", Watchers::new);
    }

    /// The users of `database`.
    public static Users of(Database database) {
        return new Users(database);
    }

    /// All users, by name.
    public List<User> list() {
        return kept().stream().map(Kept::user).toList();
    }

    /// Adds a user.
    ///
    /// @throws UsageException if there is one of that name, or name or password are invalid
    public void add(String name, String password, Map<String, Role> rights) {
        boolean plain = !name.isBlank() && name.length() <= NAME_CHARS_MAX;
        if (!plain || name.chars().anyMatch(c -> c < ' ' || c == ':' || c == ',' || c == '=')) {
            throw new UsageException(
                    "The name of a user is 1 to 100 characters, none of them one of : , =",
                    "name=" + name);
        }
        Map<String, Secret> secrets = secrets(password);
        change(connection -> {
            create(connection);
            if (find(connection, name)) {
                throw new UsageException(
                        "There is a user of that name; set a password, or drop the user first",
                        "name=" + name);
            }
            update(
                    connection,
                    "INSERT INTO server_user VALUES (?, ?, ?, ?)",
                    name,
                    text(secrets, "HmacSHA1"),
                    text(secrets, "HmacSHA256"),
                    text(secrets, "HmacSHA512"));
            for (Map.Entry<String, Role> right : rights.entrySet()) {
                grant(connection, name, right.getKey(), right.getValue());
            }
        });
    }

    /// Gives a user another password; a client logged in with the old one must log in again.
    ///
    /// @throws UsageException if there is none of that name
    public void password(String name, String password) {
        Map<String, Secret> secrets = secrets(password);
        change(connection -> {
            demand(connection, name);
            update(
                    connection,
                    "UPDATE server_user SET scram_sha1 = ?, scram_sha256 = ?, scram_sha512 = ?"
                            + " WHERE name = ?",
                    text(secrets, "HmacSHA1"),
                    text(secrets, "HmacSHA256"),
                    text(secrets, "HmacSHA512"),
                    name);
        });
    }

    /// Grants a user `role` on `bucket`, or on all of them ([User#ALL_BUCKETS]), in place of the earlier grant
    /// there.
    ///
    /// @throws UsageException if there is none of that name
    public void grant(String name, String bucket, Role role) {
        change(connection -> {
            demand(connection, name);
            grant(connection, name, bucket, role);
        });
    }

    /// Revokes the grant for `bucket`; false if there was none.
    public boolean revoke(String name, String bucket) {
        int[] taken = {0};
        change(connection -> {
            demand(connection, name);
            taken[0] =
                    update(
                            connection,
                            "DELETE FROM server_right WHERE user_name = ? AND bucket = ?",
                            name,
                            bucket.toLowerCase(Locale.ROOT));
        });
        return taken[0] > 0;
    }

    /// Drops a user, whose logins end at once.
    ///
    /// @throws UsageException if there is none of that name
    public void drop(String name) {
        change(connection -> {
            demand(connection, name);
            update(connection, "DELETE FROM server_right WHERE user_name = ?", name);
            update(connection, "DELETE FROM server_user WHERE name = ?", name);
        });
    }

    /// Runs `watcher` after each change made by this class, until the returned action is run.
    Runnable watch(Runnable watcher) {
        watchers.all.add(watcher);
        return () -> watchers.all.remove(watcher);
    }

    /// All users with their secrets, by name.
    List<Kept> kept() {
        if (Layers.tables(database).catalog().table("SERVER_USER") == null) {
            return List.of();
        }
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            Map<String, Map<String, Role>> rights = new HashMap<>();
            try (Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery(
                                    "SELECT user_name, bucket, role FROM server_right")) {
                while (rows.next()) {
                    Role role = Role.of(rows.getString(3));
                    if (role != null) { // SQL may have written an unknown role
                        rights.computeIfAbsent(rows.getString(1), user -> new HashMap<>())
                                .put(rows.getString(2), role);
                    }
                }
            }
            List<Kept> all = new ArrayList<>();
            try (Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery(
                                    "SELECT name, scram_sha1, scram_sha256, scram_sha512 FROM"
                                            + " server_user ORDER BY name")) {
                while (rows.next()) {
                    String name = rows.getString(1);
                    User user = new User(name, rights.getOrDefault(name, Map.of()));
                    all.add(
                            new Kept(
                                    user,
                                    Map.of(
                                            "HmacSHA1", rows.getString(2),
                                            "HmacSHA256", rows.getString(3),
                                            "HmacSHA512", rows.getString(4))));
                }
            }
            connection.commit();
            return all;
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private static Map<String, Secret> secrets(String password) {
        if (password.isEmpty()) {
            throw new UsageException("A password has at least one character", "");
        }
        Map<String, Secret> secrets = new HashMap<>();
        for (String hash : new String[] {"HmacSHA1", "HmacSHA256", "HmacSHA512"}) {
            secrets.put(hash, Secret.of(password, hash, Secret.ITERATIONS, RANDOM));
        }
        return secrets;
    }

    private static @Nullable String text(Map<String, Secret> secrets, String hash) {
        Secret secret = secrets.get(hash);
        return secret == null ? null : secret.text();
    }

    /// Work on the tables in one transaction.
    @FunctionalInterface
    private interface Work {
        void run(Connection connection) throws SQLException;
    }

    private void change(Work work) {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            work.run(connection);
            connection.commit();
        } catch (SQLException e) {
            throw failed(e);
        }
        watchers.all.forEach(Runnable::run);
    }

    private static DatabaseException failed(SQLException e) {
        return e.getCause() instanceof DatabaseException cause
                ? cause
                : new UsageException("The tables of users cannot be read or changed", "", e);
    }

    private static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS server_user (name VARCHAR(100) PRIMARY KEY,"
                            + " scram_sha1 VARCHAR(400) NOT NULL, scram_sha256 VARCHAR(400) NOT"
                            + " NULL, scram_sha512 VARCHAR(400) NOT NULL)");
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS server_right (user_name VARCHAR(100), bucket"
                            + " VARCHAR(100), role VARCHAR(5) NOT NULL, PRIMARY KEY (user_name,"
                            + " bucket))");
        }
    }

    private void demand(Connection connection, String name) throws SQLException {
        boolean known =
                Layers.tables(database).catalog().table("SERVER_USER") != null
                        && find(connection, name);
        if (!known) {
            throw new UsageException("There is no user of that name", "name=" + name);
        }
    }

    private static boolean find(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT name FROM server_user WHERE name = ?")) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    private static void grant(Connection connection, String name, String bucket, Role role)
            throws SQLException {
        String kept = bucket.toLowerCase(Locale.ROOT);
        update(
                connection,
                "INSERT INTO server_right VALUES (?, ?, ?) ON CONFLICT (user_name, bucket) DO"
                        + " UPDATE SET role = EXCLUDED.role",
                name,
                kept,
                role.name());
    }

    private static int update(Connection connection, String sql, @Nullable String... values)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }
}
