package dev.oriel.server;

import dev.oriel.store.StoreStats;
import dev.oriel.table.TableSize;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.ZonedDateTime;
import java.util.SortedMap;
import java.util.concurrent.atomic.LongAdder;

/// Metrics of the server and the database, in Prometheus's text form.
final class Prometheus {
    private final StringBuilder out = new StringBuilder(4 << 10);

    private Prometheus() {}

    static String of(OrielServer server) {
        Prometheus text = new Prometheus();
        text.server(server, server.metrics());
        text.certificate(server.certificate());
        text.writes(server.refusals());
        text.commands(server);
        text.backups(server);
        text.process(server);
        text.buckets(server);
        text.store(server.database().stats());
        return text.out.toString();
    }

    private void server(OrielServer server, Metrics metrics) {
        gauge("oriel_uptime_seconds", "Seconds since the server began.", server.uptimeSeconds());
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
        counter(
                "oriel_memory_waits_total",
                "Requests that waited for memory.",
                metrics.memoryWaits);
        gauge(
                "oriel_memory_waiting",
                "Requests that wait for memory now.",
                server.memory().waiting()
                        + server.answers().waiting()
                        + server.changes().waiting());
        counter(
                "oriel_connections_stalled_closed_total",
                "Slow clients that held memory for which others waited.",
                metrics.stalledClosed);
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

    private void certificate(Certificate certificate) {
        long expiryMillis = certificate.expiryMillis();
        if (expiryMillis > 0) {
            gauge(
                    "oriel_tls_certificate_expiry_timestamp_seconds",
                    "Expiry of the certificate, in seconds since 1970.",
                    expiryMillis / 1_000);
        }
    }

    private void writes(Refusals refusals) {
        String name = "oriel_refused_writes_total";
        head(name, "Changes that were refused, by reason.", "counter");
        labelled(name, "reason", "disk_full", refusals.full);
        labelled(name, "reason", "storage", refusals.storage);
        labelled(name, "reason", "limit", refusals.limits);
        labelled(name, "reason", "conflict", refusals.conflicts);
        labelled(name, "reason", "other", refusals.others);
        gauge(
                "oriel_writes_refused",
                "Whether the disk takes no changes at present.",
                refusals.failure().isEmpty() ? 0 : 1);
    }

    private void commands(OrielServer server) {
        gauge(
                "oriel_slow_threshold_seconds",
                "From when on an operation is slow.",
                server.slow().boundMicros() / 1e6);
        head("oriel_slow_operations_total", "Operations that were slow.", "counter");
        line("oriel_slow_operations_total", server.slow().count());
        String name = "oriel_command_duration_seconds";
        head(name, "Seconds from a whole request to its answer.", "histogram");
        for (Latencies.Command command : server.latencies().used()) {
            String labels =
                    "protocol=\"%s\",command=\"%s\"".formatted(command.protocol, command.name);
            long nanos = command.nanos();
            long below = 0;
            for (int i = 0; i < Latencies.BOUNDS_NANOS.length; i++) {
                below += command.count(i);
                line(
                        "%s_bucket{%s,le=\"%s\"}"
                                .formatted(name, labels, Latencies.BOUNDS_NANOS[i] / 1e9),
                        below);
            }
            below += command.count(Latencies.BOUNDS_NANOS.length);
            line("%s_bucket{%s,le=\"+Inf\"}".formatted(name, labels), below);
            line("%s_sum{%s}".formatted(name, labels), nanos / 1e9);
            line("%s_count{%s}".formatted(name, labels), below);
        }
    }

    private void backups(OrielServer server) {
        counter("oriel_backups_total", "Backups that were made.", server.jobs().backups);
        counter(
                "oriel_job_failures_total",
                "Backups, checks and compactions that have failed.",
                server.jobs().failures);
        gauge(
                "oriel_backup_last_success_timestamp_seconds",
                "When the last backup was complete, since 1970; 0 for none.",
                server.jobs().backedUpMicros() / 1e6);
        ZonedDateTime next = server.nextBackup();
        if (next != null) {
            gauge(
                    "oriel_backup_next_timestamp_seconds",
                    "When the next backup is due, since 1970.",
                    next.toEpochSecond());
        }
    }

    private void process(OrielServer server) {
        Runtime runtime = Runtime.getRuntime();
        // OpenTelemetry's names of the attributes of a resource, as its exporters for Prometheus
        // write them.
        head("target_info", "Attributes of the service, as labels of 1.", "gauge");
        line(
                "target_info{service_name=\"oriel\",service_version=\"%s\",service_instance_id=\"%s\",process_pid=\"%d\",process_runtime_name=\"java\",process_runtime_version=\"%s\"}"
                        .formatted(
                                ProductVersion.number(),
                                server.instance(),
                                ProcessHandle.current().pid(),
                                Runtime.version()),
                1);
        head("oriel_build_info", "Version and Java, as labels of 1.", "gauge");
        line(
                "oriel_build_info{version=\"%s\",java=\"%s\"}"
                        .formatted(ProductVersion.number(), Runtime.version()),
                1);
        gauge(
                "oriel_heap_used_bytes",
                "Bytes of the heap in use, garbage included.",
                runtime.totalMemory() - runtime.freeMemory());
        gauge("oriel_heap_max_bytes", "Bound of the heap.", MachineLimits.heapBytes());
        gauge(
                "oriel_direct_used_bytes",
                "Bytes in use beside the heap.",
                MachineLimits.directBytesTaken());
        gauge("oriel_direct_max_bytes", "Bound of that.", MachineLimits.directBytes());
        long collections = 0;
        long millis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += Math.max(0, collector.getCollectionCount());
            millis += Math.max(0, collector.getCollectionTime());
        }
        head("oriel_gc_collections_total", "Garbage collections.", "counter");
        line("oriel_gc_collections_total", collections);
        head("oriel_gc_seconds_total", "Seconds in garbage collections.", "counter");
        line("oriel_gc_seconds_total", millis / 1e3);
        gauge(
                "oriel_answer_memory_bytes",
                "Memory of long values on their way out.",
                server.answers().takenBytes());
        gauge(
                "oriel_change_memory_bytes",
                "Memory beside the heap of changes of long values.",
                server.changes().takenBytes());
        long room = server.diskRoomBytes();
        if (room >= 0) {
            gauge("oriel_disk_room_bytes", "Free bytes of the database's disk.", room);
        }
    }

    private void buckets(OrielServer server) {
        SortedMap<String, TableSize> sizes = server.sizes().get();
        head(
                "oriel_bucket_items",
                "Entries of a bucket, at most ten seconds ago; estimated if there are many.",
                "gauge");
        sizes.forEach((bucket, size) -> line(ofBucket("oriel_bucket_items", bucket), size.rows()));
        head("oriel_bucket_bytes", "Bytes of their keys and values, estimated alike.", "gauge");
        sizes.forEach((bucket, size) -> line(ofBucket("oriel_bucket_bytes", bucket), size.bytes()));
    }

    private static String ofBucket(String metric, String bucket) {
        StringBuilder name = new StringBuilder(metric).append("{bucket=");
        Json.quote(bucket, name);
        return name.append('}').toString();
    }

    private void store(StoreStats stats) {
        gauge("oriel_store_double_write_bytes", "Bytes of the shadow file.", stats.shadowBytes());
        head("oriel_store_checkpoints_total", "Checkpoints.", "counter");
        line("oriel_store_checkpoints_total", stats.checkpoints());
        gauge("oriel_store_open_readers", "Snapshots that are open.", stats.openReaders());
        gauge(
                "oriel_store_pages",
                "Pages in the data file, each of the database's page size.",
                stats.pages());
        gauge("oriel_store_free_pages", "Pages that are free.", stats.freePages());
        gauge("oriel_store_data_file_bytes", "Bytes of the data file.", stats.dataBytes());
        gauge("oriel_store_log_bytes", "Bytes of the log's files.", stats.logBytes());
        gauge("oriel_store_memory_bytes", "Bytes of changed pages.", stats.scratchBytes());
        gauge(
                "oriel_store_gathered_bytes",
                "Bytes of entries that are not in pages yet.",
                stats.gatheredBytes());
        head("oriel_store_log_written_bytes_total", "Bytes written to the log.", "counter");
        line("oriel_store_log_written_bytes_total", stats.logBytesWritten());
        head("oriel_store_log_syncs_total", "Syncs of the log.", "counter");
        line("oriel_store_log_syncs_total", stats.syncs());
    }

    private void head(String name, String help, String type) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void line(String name, double value) {
        out.append(name).append(' ').append(value).append('\n');
    }

    private void line(String name, long value) {
        out.append(name).append(' ').append(value).append('\n');
    }

    private void gauge(String name, String help, long value) {
        head(name, help, "gauge");
        line(name, value);
    }

    private void gauge(String name, String help, double value) {
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
