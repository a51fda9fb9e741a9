package dev.oriel.server;

import dev.oriel.kv.Status;
import dev.oriel.table.TableSize;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/// The statistics of `stats`, under memcached's names.
final class Stats {
    private static final Set<String> GROUPS =
            Set.of("", "settings", "items", "slabs", "sizes", "conns", "threads");

    private Stats() {}

    static void text(Client client, String group, Output out) {
        if (group.equals("reset")) {
            boolean allowed = client.isAdmin();
            if (allowed) {
                client.metrics().reset();
            }
            out.line(allowed ? "RESET" : TextProtocol.error(Status.ACCESS_DENIED));
            return;
        }
        if (!GROUPS.contains(group)) {
            out.line("ERROR");
            return;
        }
        of(client, group).forEach((name, value) -> out.put("STAT ").put(name).put(' ').line(value));
        out.line("END");
    }

    static void binary(Client client, String group, BinaryProtocol to) {
        if (group.equals("reset")) {
            if (!client.isAdmin()) {
                to.answer(Status.ACCESS_DENIED);
                return;
            }
            client.metrics().reset();
        } else {
            of(client, group).forEach(to::answerStat);
        }
        to.answerStat("", "");
    }

    private static Map<String, String> of(Client client, String group) {
        return switch (group) {
            case "" -> general(client);
            case "settings" -> settings(client.server());
            case "conns" -> client.isAdmin() ? connections(client.server()) : Map.of();
            default -> Map.of(); // slabs and their like: there are none
        };
    }

    private static Map<String, String> general(Client client) {
        OrielServer server = client.server();
        Metrics metrics = server.metrics();
        Map<String, String> all = new LinkedHashMap<>();
        long seconds = server.buckets().nowMicros() / 1_000_000;
        all.put("pid", Long.toString(ProcessHandle.current().pid()));
        all.put("uptime", Long.toString(server.uptimeSeconds()));
        all.put("time", Long.toString(seconds));
        all.put("version", server.wireVersion());
        all.put("pointer_size", "64");
        all.put("max_connections", Integer.toString(server.connectionsMax()));
        all.put("curr_connections", Integer.toString(server.connectionCount()));
        put(all, metrics, "total_connections", metrics.connections);
        put(all, metrics, "rejected_connections", metrics.rejected);
        put(all, metrics, "cmd_get", metrics.gets);
        put(all, metrics, "cmd_set", metrics.sets);
        put(all, metrics, "cmd_flush", metrics.flushes);
        put(all, metrics, "cmd_touch", metrics.touches);
        put(all, metrics, "get_hits", metrics.getHits);
        all.put("get_misses", difference(metrics, metrics.gets, metrics.getHits));
        put(all, metrics, "delete_hits", metrics.deleteHits);
        all.put("delete_misses", difference(metrics, metrics.deletes, metrics.deleteHits));
        put(all, metrics, "incr_hits", metrics.countHits);
        all.put("incr_misses", difference(metrics, metrics.counts, metrics.countHits));
        put(all, metrics, "cas_hits", metrics.casHits);
        put(all, metrics, "cas_misses", metrics.casMisses);
        put(all, metrics, "cas_badval", metrics.casBad);
        put(all, metrics, "touch_hits", metrics.touchHits);
        all.put("touch_misses", difference(metrics, metrics.touches, metrics.touchHits));
        put(all, metrics, "auth_cmds", metrics.logins);
        put(all, metrics, "auth_errors", metrics.loginFailures);
        put(all, metrics, "idle_kicks", metrics.idleClosed);
        put(all, metrics, "bytes_read", metrics.bytesRead);
        put(all, metrics, "bytes_written", metrics.bytesWritten);
        TableSize size = server.size(client.bucket());
        all.put("curr_items", Long.toString(size.rows()));
        all.put("bytes", Long.toString(size.bytes()));
        all.put("threads", Integer.toString(server.options().threads()));
        all.put("reclaimed", Long.toString(server.buckets().swept()));
        return all;
    }

    /// Four lines for each connection, under its number, as memcached shows them by its descriptor.
    private static Map<String, String> connections(OrielServer server) {
        Map<String, String> all = new LinkedHashMap<>();
        for (Connection.View one : server.connectionViews()) {
            String id = one.id() + ":";
            boolean socket = one.listener().equals(Listener.ADMIN.label());
            all.put(id + "addr", socket ? "unix:admin" : "tcp:" + one.address());
            all.put(
                    id + "listen_addr",
                    socket ? "unix:admin" : server.listenAddress(one.listener()));
            all.put(id + "state", one.working() ? "conn_working" : "conn_waiting");
            all.put(id + "secs_since_last_cmd", Long.toString(one.idleMillis() / 1_000));
        }
        return all;
    }

    private static void put(
            Map<String, String> all, Metrics metrics, String name, LongAdder value) {
        all.put(name, Long.toString(metrics.sinceReset(value)));
    }

    private static String difference(Metrics metrics, LongAdder all, LongAdder some) {
        long difference = metrics.sinceReset(all) - metrics.sinceReset(some);
        return Long.toString(Math.max(0, difference));
    }

    private static Map<String, String> settings(OrielServer server) {
        ServerOptions options = server.options();
        Map<String, String> all = new LinkedHashMap<>();
        all.put("maxconns", Integer.toString(server.connectionsMax()));
        all.put("tcpport", Integer.toString(server.port(Listener.MEMCACHED)));
        all.put("inter", options.host());
        all.put("cas_enabled", "yes");
        all.put("auth_enabled_sasl", server.accounts().isOpen() ? "no" : "yes");
        all.put("item_size_max", Integer.toString(options.valueBytesMax()));
        all.put("num_threads", Integer.toString(options.threads()));
        all.put("flush_enabled", "yes");
        all.put("idle_timeout", Long.toString(options.idleMillis() / 1_000));
        all.put("binding_protocol", "auto-negotiate");
        return all;
    }
}
