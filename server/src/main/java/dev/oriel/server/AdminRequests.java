package dev.oriel.server;

import dev.oriel.profiler.ClassCode;
import dev.oriel.profiler.Profile;
import dev.oriel.profiler.ProfileOptions;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.ReportFormat;
import dev.oriel.server.HttpProtocol.Answer;
import dev.oriel.server.HttpProtocol.Question;
import dev.oriel.store.LimitException;
import dev.oriel.store.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Requests of admins to a running server: the paths below `/admin/`. They come over HTTP with the rights of an
/// admin of all buckets, or through the admin socket. docs/http-api.md describes them. Parameters come as a form,
/// in the body or after the `?`. Answers are JSON, or lines of cells if `Accept` asks for
/// `text/tab-separated-values`.
final class AdminRequests {
    /// Header of an answer that lacks the further rows of its query.
    private static final String MORE_ROWS = "Oriel-More-Rows";

    private static final int ROWS_USUAL = 1_000;
    private static final int ROWS_MAX = 100_000;
    private static final long RESULT_CHARS_MAX = 16 << 20;
    private static final int SQL_SECONDS_MAX = 60;
    private static final int PROFILE_SECONDS_MAX = 300;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Client client;
    private final OrielServer server;

    AdminRequests(Client client) {
        this.client = client;
        this.server = client.server();
    }

    /// Answers an admin's request.
    Answer answer(Question question) {
        if (isFromAnotherSite(question)) {
            return Answer.error(403, "Web pages may not request this");
        }
        boolean change = question.method().equals("POST");
        try {
            return switch ((change ? "POST " : "GET ") + question.path()) {
                case "GET /admin/status" -> rows(question, status());
                case "GET /admin/connections" -> rows(question, connections());
                case "POST /admin/disconnect" -> disconnect(question);
                case "GET /admin/slow" -> rows(question, slow());
                case "POST /admin/slow" -> slowFrom(question);
                case "POST /admin/sql" -> sql(question);
                case "POST /admin/cancel" -> cancel(question);
                case "POST /admin/profile" -> profile(question);
                case "GET /admin/log" -> rows(question, level());
                case "POST /admin/log" -> level(question);
                case "GET /admin/jobs" -> rows(question, jobs(server.jobs().all()));
                case "POST /admin/jobs/cancel" -> cancelJob(question);
                case "POST /admin/backup" -> backup(question);
                case "POST /admin/check" ->
                        job(
                                question,
                                server.jobs().check(number(question, "rate", 0), client.byWhom()));
                case "POST /admin/compact" ->
                        job(
                                question,
                                server.jobs()
                                        .compact(number(question, "rate", 0), client.byWhom()));
                case "POST /admin/stop" -> stop();
                default ->
                        Answer.error(
                                404, "There is nothing at " + question.path() + " for this method");
            };
        } catch (LimitException e) {
            return Answer.error(409, String.valueOf(e.getMessage()));
        } catch (SQLException e) {
            return Answer.error(422, e.getMessage() + " (" + e.getSQLState() + ")");
        }
    }

    /// Whether a browser sends it for a page of another site: it adds its stored logins by itself.
    private static boolean isFromAnotherSite(Question question) {
        String site = question.header("sec-fetch-site");
        String origin = question.header("origin");
        String host = question.header("host");
        boolean foreign =
                !origin.isEmpty()
                        && !origin.equals("http://" + host)
                        && !origin.equals("https://" + host);
        return foreign || !(site.isEmpty() || site.equals("same-origin") || site.equals("none"));
    }

    private static Answer rows(Question question, AdminRows rows) {
        return question.header("accept").contains("text/tab-separated-values")
                ? new Answer(200, "text/tab-separated-values; charset=utf-8", rows.lines())
                : Answer.json(rows.json());
    }

    private static int number(Question question, String name, int usual) {
        String given = question.field(name).strip();
        if (given.isEmpty()) {
            return usual;
        }
        if (!given.matches("[0-9]{1,9}")) {
            throw new UsageException("The value must be a number", name + "=" + given);
        }
        return Integer.parseInt(given);
    }

    private AdminRows status() {
        AdminRows rows = new AdminRows("name", "value");
        Health ready = Health.ready(server);
        rows.add("status", ready.isUp() ? "up" : "down: " + ready.reason());
        rows.add("version", ProductVersion.number());
        rows.add("java", Runtime.version().toString());
        rows.add("pid", ProcessHandle.current().pid());
        rows.add("uptime_seconds", server.uptimeSeconds());
        for (Listener listener : server.listeners()) {
            if (listener != Listener.ADMIN) {
                rows.add(listener.label() + "_port", server.port(listener));
            }
        }
        rows.add("connections", server.connectionCount());
        rows.add("connections_max", server.connectionsMax());
        long expiryMillis = server.certificate().expiryMillis();
        if (expiryMillis > 0) {
            rows.add("certificate_expiry", instant(expiryMillis * 1_000));
        }
        Runtime runtime = Runtime.getRuntime();
        rows.add("heap_used_bytes", runtime.totalMemory() - runtime.freeMemory());
        rows.add("heap_max_bytes", MachineLimits.heapBytes());
        rows.add("direct_used_bytes", MachineLimits.directBytesTaken());
        rows.add("direct_max_bytes", MachineLimits.directBytes());
        var store = server.database().stats();
        rows.add("data_file_bytes", store.dataBytes());
        rows.add("shadow_bytes", store.shadowBytes());
        rows.add("log_bytes", store.logBytes());
        rows.add("disk_room_bytes", server.diskRoomBytes());
        rows.add("checkpoints", store.checkpoints());
        rows.add("slow_from_millis", server.slow().boundMicros() / 1_000.0);
        rows.add("slow_operations", server.slow().count());
        long backedUp = server.jobs().backedUpMicros();
        rows.add("last_backup", backedUp == 0 ? null : instant(backedUp));
        ZonedDateTime next = server.nextBackup();
        rows.add("next_backup", next == null ? null : next.toString());
        return rows;
    }

    private static String instant(long micros) {
        return Instant.ofEpochMilli(micros / 1_000).toString();
    }

    private AdminRows connections() {
        AdminRows rows =
                new AdminRows(
                        "id",
                        "protocol",
                        "address",
                        "user",
                        "bucket",
                        "age_ms",
                        "idle_ms",
                        "working",
                        "received_bytes",
                        "sent_bytes",
                        "last_command");
        for (var one : server.connectionViews()) {
            rows.add(
                    one.id(),
                    one.listener(),
                    one.address(),
                    one.user(),
                    one.bucket(),
                    one.ageMillis(),
                    one.idleMillis(),
                    one.working(),
                    one.receivedBytes(),
                    one.sentBytes(),
                    one.lastCommand());
        }
        return rows;
    }

    private Answer disconnect(Question question) {
        int id = number(question, "id", 0);
        if (!server.disconnect(id)) {
            return Answer.error(404, "There is no connection of that number");
        }
        server.log()
                .said("A connection was closed by an admin", "id", id + "", "by", client.byWhom());
        return Answer.json("{\"disconnected\":" + id + "}\n");
    }

    private AdminRows slow() {
        AdminRows rows = new AdminRows("at", "ms", "protocol", "command", "key", "address", "user");
        for (SlowOperations.Slow one : server.slow().newest()) {
            rows.add(
                    instant(one.atMicros()),
                    one.micros() / 1_000.0,
                    one.protocol(),
                    one.command(),
                    one.key(),
                    one.address(),
                    one.user());
        }
        return rows;
    }

    private Answer slowFrom(Question question) {
        int millis = number(question, "from_ms", -1);
        if (millis < 0) {
            return Answer.error(
                    400,
                    "The parameter from_ms is missing; send the least duration of a slow call, in"
                            + " milliseconds");
        }
        server.slow().boundMicros(millis * 1_000L);
        server.log()
                .said(
                        "Operations count as slow from here",
                        "ms",
                        millis + "",
                        "by",
                        client.byWhom());
        return Answer.json("{\"from_ms\":" + millis + "}\n");
    }

    /// One query, or one `CALL sys....`.
    private Answer sql(Question question) throws SQLException {
        String sql = question.field("sql").strip();
        if (sql.isEmpty()) {
            return Answer.error(400, "The parameter sql is missing; send a query");
        }
        int rowsMax = Math.min(ROWS_MAX, number(question, "rows", ROWS_USUAL));
        boolean call = sql.toUpperCase(Locale.ROOT).matches("(?s)CALL\\s+SYS\\s*\\..*");
        try (Connection connection = server.database().connect()) {
            connection.setReadOnly(!call);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                if (!call && statement.getMetaData() == null) {
                    return Answer.error(
                            422, "Queries are answered here, and CALL of procedures of sys");
                }
                statement.setQueryTimeout(SQL_SECONDS_MAX);
                statement.setMaxRows(rowsMax + 1); // one more tells whether there are more
                server.questions().begin(statement, client);
                try {
                    client.ifLeft(() -> server.questions().cancel(statement));
                    if (client.hasLeft()) { // a cancellation before the execution has no effect
                        return Answer.error(503, "The client has gone");
                    }
                    if (!statement.execute()) {
                        return rows(question, new AdminRows("done").add(true));
                    }
                    try (ResultSet result = statement.getResultSet()) {
                        return rows(question, result, rowsMax);
                    }
                } finally {
                    client.ifLeft(null);
                    server.questions().end(statement);
                }
            }
        }
    }

    private static Answer rows(Question question, ResultSet result, int rowsMax)
            throws SQLException {
        Answer answer = rows(question, read(result, rowsMax));
        String header = result.next() ? MORE_ROWS + ": true" : "";
        return new Answer(answer.status(), answer.type(), answer.body(), header);
    }

    private static AdminRows read(ResultSet result, int rowsMax) throws SQLException {
        ResultSetMetaData about = result.getMetaData();
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= about.getColumnCount(); i++) {
            names.add(about.getColumnLabel(i));
        }
        AdminRows rows = new AdminRows(names);
        long chars = 0;
        for (int i = 0; i < rowsMax && result.next(); i++) {
            @Nullable Object[] cells = new Object[names.size()];
            for (int column = 0; column < cells.length; column++) {
                Object cell = result.getObject(column + 1);
                cells[column] =
                        cell == null || cell instanceof Number || cell instanceof Boolean
                                ? cell
                                : result.getString(column + 1);
                chars += cells[column] == null ? 4 : cells[column].toString().length();
            }
            if (chars > RESULT_CHARS_MAX) {
                throw new LimitException(
                        "The result is larger than 16 MB; ask for less", "chars=" + chars);
            }
            rows.add(cells);
        }
        return rows;
    }

    private Answer cancel(Question question) throws SQLException {
        int session = number(question, "session", 0);
        try (Connection connection = server.database().connect();
                PreparedStatement statement = connection.prepareStatement("CALL sys.cancel(?)")) {
            statement.setInt(1, session);
            statement.execute();
        }
        server.log()
                .said("A statement was cancelled", "session", session + "", "by", client.byWhom());
        return Answer.json("{\"cancelled\":" + session + "}\n");
    }

    /// Records this process for some seconds, and answers with the report as a page.
    private Answer profile(Question question) {
        int seconds = number(question, "seconds", 10);
        if (seconds < 1 || seconds > PROFILE_SECONDS_MAX) {
            return Answer.error(400, "seconds are 1 to " + PROFILE_SECONDS_MAX);
        }
        server.log().said("A profile has begun", "seconds", seconds + "", "by", client.byWhom());
        ProfileResult result;
        try (Profile profile = Profile.start(ProfileOptions.everything())) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            while (System.nanoTime() < end && !server.isClosed()) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            result = profile.stop();
        } catch (IllegalStateException e) { // another one is running
            return Answer.error(409, String.valueOf(e.getMessage()));
        }
        StringBuilder page = new StringBuilder();
        try {
            ReportFormat.HTML
                    .report(result, "Server", null, ClassCode.ofThisProgram())
                    .write(result, page);
        } catch (IOException e) {
            throw new IllegalStateException("text cannot fail to be written", e);
        }
        return new Answer(200, "text/html; charset=utf-8", page.toString());
    }

    private AdminRows level() {
        String level = server.log().level().name().toLowerCase(Locale.ROOT);
        return new AdminRows("level").add(level);
    }

    private Answer level(Question question) {
        String wanted = question.field("level").toUpperCase(Locale.ROOT);
        for (ServerLog.Level level : ServerLog.Level.values()) {
            if (level.name().equals(wanted)) {
                server.log().level(ServerLog.Level.INFO); // so that the change itself is logged
                server.log()
                        .said("The log has another level", "level", wanted, "by", client.byWhom());
                server.log().level(level);
                return rows(question, level());
            }
        }
        return Answer.error(400, "level is info, warn or error");
    }

    private static AdminRows jobs(List<Job> jobs) {
        AdminRows rows =
                new AdminRows(
                        "job", "kind", "state", "done", "total", "started", "ms", "by", "result");
        for (Job job : jobs) {
            rows.add(
                    job.id,
                    job.kind,
                    job.state().name().toLowerCase(Locale.ROOT),
                    job.done(),
                    job.total(),
                    instant(job.startedMicros),
                    job.millis(),
                    job.by,
                    job.result());
        }
        return rows;
    }

    private static Answer job(Question question, Job job) {
        return rows(question, jobs(List.of(job)));
    }

    private Answer cancelJob(Question question) {
        Job job = server.jobs().of(number(question, "job", 0));
        if (job == null || !job.isRunning()) {
            return Answer.error(404, "No job of that number is running");
        }
        job.cancel();
        return job(question, job);
    }

    private Answer backup(Question question) {
        String target = question.field("target");
        if (target.isEmpty()) {
            return Answer.error(
                    400, "The parameter target is missing; send the folder for the copy");
        }
        Path folder = client.listener() == Listener.ADMIN ? Path.of("/") : within();
        if (folder == null) {
            return Answer.error(
                    403, "Over HTTP a backup needs the option backup-folder, or use the socket");
        }
        Path path = folder.resolve(target).normalize();
        if (!path.startsWith(folder) || path.equals(folder)) {
            return Answer.error(403, "Over HTTP a backup stays within the backup-folder");
        }
        if (Files.isRegularFile(path)) {
            return Answer.error(409, "There is a file of that name");
        }
        return job(
                question, server.jobs().backup(path, number(question, "rate", 0), client.byWhom()));
    }

    private @Nullable Path within() {
        Path folder = server.options().admin().backupFolder();
        return folder == null ? null : folder.toAbsolutePath().normalize();
    }

    private Answer stop() {
        if (!server.stop()) {
            return Answer.error(
                    405, "The program that runs the server does not allow a stop by request");
        }
        server.log().said("An admin has asked for the end", "by", client.byWhom());
        return Answer.json("{\"stopping\":true}\n");
    }
}
