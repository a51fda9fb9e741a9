package dev.oriel.server;

import dev.oriel.store.StoreStats;
import java.util.concurrent.atomic.LongAdder;

/// What the server has done and what the database holds, in Prometheus's text form.
final class Prometheus {
    private final StringBuilder out = new StringBuilder(4 << 10);

    private Prometheus() {}

    static String of(OrielServer server) {
        Prometheus text = new Prometheus();
        text.server(server, server.metrics());
        text.store(server.database().stats());
        return text.out.toString();
    }

    private void server(OrielServer server, Metrics metrics) {
        gauge("oriel_up_seconds", "Seconds since the server began.", server.uptimeSeconds());
        gauge("oriel_connections", "Clients connected now.", server.connectionCount());
        counter("oriel_connections_total", "Clients that have connected.", metrics.connections);
        counter("oriel_connections_rejected_total", "Clients over the limit.", metrics.rejected);
        counter(
                "oriel_accept_failures_total",
                "Connections that the system did not hand over.",
                metrics.acceptFailures);
        counter(
                "oriel_network_errors_total",
                "Errors that threads of the network have met.",
                metrics.loopFailures);
        counter(
                "oriel_tls_handshake_failures_total",
                "Encrypted connections that were never made.",
                metrics.handshakeFailures);
        gauge("oriel_connections_max", "Clients that are served at most.", server.connectionsMax());
        gauge("process_open_fds", "Open file descriptors.", Descriptors.open());
        gauge("process_max_fds", "Limit of file descriptors.", Descriptors.limit());
        counter("oriel_connections_idle_closed_total", "Silent clients.", metrics.idleClosed);
        counter("oriel_received_bytes_total", "Bytes read.", metrics.bytesRead);
        counter("oriel_sent_bytes_total", "Bytes written.", metrics.bytesWritten);
        head("oriel_operations_total", "Operations by kind.", "counter");
        labelled("oriel_operations_total", "operation", "get", metrics.gets);
        labelled("oriel_operations_total", "operation", "store", metrics.sets);
        labelled("oriel_operations_total", "operation", "delete", metrics.deletes);
        labelled("oriel_operations_total", "operation", "touch", metrics.touches);
        labelled("oriel_operations_total", "operation", "count", metrics.counts);
        labelled("oriel_operations_total", "operation", "flush", metrics.flushes);
        head("oriel_hits_total", "Operations that found their entry, by kind.", "counter");
        labelled("oriel_hits_total", "operation", "get", metrics.getHits);
        labelled("oriel_hits_total", "operation", "delete", metrics.deleteHits);
        labelled("oriel_hits_total", "operation", "touch", metrics.touchHits);
        labelled("oriel_hits_total", "operation", "count", metrics.countHits);
        counter("oriel_logins_total", "Logins.", metrics.logins);
        counter("oriel_login_failures_total", "Refused logins.", metrics.loginFailures);
        counter("oriel_failures_total", "Operations that failed inside.", metrics.failures);
        counter("oriel_refused_total", "Requests without memory for them.", metrics.refused);
        gauge(
                "oriel_request_memory_bytes",
                "Memory of long values on their way in.",
                server.memory().takenBytes());
        head("oriel_expired_removed_total", "Expired entries removed.", "counter");
        line("oriel_expired_removed_total", server.buckets().swept());
        gauge(
                "oriel_expired_sweep_failing",
                "Whether the last look for expired entries has left some.",
                server.buckets().sweepFailure() == null ? 0 : 1);
    }

    private void store(StoreStats stats) {
        gauge("oriel_store_pages", "Pages of 8 KB in the data file.", stats.pages());
        gauge("oriel_store_free_pages", "Pages that are free.", stats.freePages());
        gauge("oriel_store_data_file_bytes", "Bytes of the data file.", stats.dataBytes());
        gauge("oriel_store_log_bytes", "Bytes of the log's files.", stats.logBytes());
        gauge("oriel_store_memory_bytes", "Bytes of changed pages.", stats.scratchBytes());
        head("oriel_store_log_written_bytes_total", "Bytes written to the log.", "counter");
        line("oriel_store_log_written_bytes_total", stats.logBytesWritten());
        head("oriel_store_log_syncs_total", "Syncs of the log.", "counter");
        line("oriel_store_log_syncs_total", stats.syncs());
    }

    private void head(String name, String help, String type) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void line(String name, long value) {
        out.append(name).append(' ').append(value).append('\n');
    }

    private void gauge(String name, String help, long value) {
        head(name, help, "gauge");
        line(name, value);
    }

    private void counter(String name, String help, LongAdder value) {
        head(name, help, "counter");
        line(name, value.sum());
    }

    private void labelled(String name, String label, String of, LongAdder value) {
        line(name + "{" + label + "=\"" + of + "\"}", value.sum());
    }
}
