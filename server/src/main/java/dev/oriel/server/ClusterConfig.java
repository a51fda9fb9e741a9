package dev.oriel.server;

/// The cluster map of the only node: it has all of the 1,024 vbuckets of every bucket.
final class ClusterConfig {
    private static final int PARTS = 1_024;
    private static final String PART_MAP = partMap();

    private ClusterConfig() {}

    private static String partMap() {
        StringBuilder map = new StringBuilder(PARTS * 4);
        for (int i = 0; i < PARTS; i++) {
            map.append(i == 0 ? "[0]" : ",[0]");
        }
        return map.toString();
    }

    /// The map of `bucket` as JSON. Clients replace `$HOST` by the address that they know.
    static String of(OrielServer server, String bucket) {
        StringBuilder json = new StringBuilder(8 << 10);
        json.append("{\"rev\":").append(revision(server)).append(",\"revEpoch\":1,\"name\":");
        Json.quote(bucket, json);
        json.append(",\"uuid\":\"").append(uuid(server, bucket));
        json.append("\",\"nodeLocator\":\"vbucket\",\"bucketType\":\"membase\"");
        json.append(",\"uri\":\"/pools/default/buckets/").append(bucket).append("\"");
        json.append(",\"quota\":{\"ram\":104857600,\"rawRAM\":104857600}"); // there is none
        json.append(",\"replicaNumber\":0,\"replicaIndex\":false,\"maxTTL\":0");
        json.append(",\"evictionPolicy\":\"fullEviction\",\"compressionMode\":\"off\"");
        json.append(",\"storageBackend\":\"couchstore\",\"conflictResolutionType\":\"seqno\"");
        json.append(",\"durabilityMinLevel\":\"none\",\"controllers\":{\"flush\":");
        json.append("\"/pools/default/buckets/").append(bucket).append("/controller/doFlush\"}");
        json.append(",\"nodes\":[").append(node(server)).append(']');
        json.append(",\"nodesExt\":[").append(services(server)).append(']');
        json.append(
                ",\"bucketCapabilities\":[\"cccp\",\"collections\",\"durableWrite\",\"xattr\"]");
        json.append(",\"vBucketServerMap\":{\"hashAlgorithm\":\"CRC\",\"numReplicas\":0");
        json.append(",\"serverList\":[\"$HOST:").append(server.port(Listener.COUCHBASE));
        json.append("\"],\"vBucketMap\":[").append(PART_MAP).append("]}}");
        return json.toString();
    }

    /// The cluster map for a client that has chosen no bucket: the addresses of the services.
    static String ofCluster(OrielServer server) {
        return "{\"rev\":"
                + revision(server)
                + ",\"revEpoch\":1,\"nodesExt\":["
                + services(server)
                + "],\"clusterCapabilitiesVer\":[1,0],\"clusterCapabilities\":{}}";
    }

    /// The services and their ports on this node, the only one.
    private static String services(OrielServer server) {
        boolean encrypted = server.options().certificate() != null;
        return "{\"thisNode\":true,\"services\":{"
                + (encrypted ? "\"kvSSL\":" : "\"kv\":")
                + server.port(Listener.COUCHBASE)
                + (encrypted ? ",\"mgmtSSL\":" : ",\"mgmt\":")
                + managementPort(server)
                + "}}";
    }

    /// The node as `/pools/default/buckets/NAME` shows it.
    private static String node(OrielServer server) {
        return "{\"hostname\":\"$HOST:"
                + managementPort(server)
                + "\",\"version\":\""
                + server.wireVersion()
                + "\",\"services\":[\"kv\"],\"status\":\"healthy\",\"clusterMembership\":\"active\",\"thisNode\":true"
                + ",\"ports\":{\"direct\":"
                + server.port(Listener.COUCHBASE)
                + "}}";
    }

    /// Clients tell nodes apart by this port, so there is always one.
    private static int managementPort(OrielServer server) {
        int port = server.port(Listener.HTTP);
        return port > 0 ? port : 1;
    }

    private static long revision(OrielServer server) {
        return 1 + Manifest.uid(server);
    }

    private static String uuid(OrielServer server, String bucket) {
        long hash = bucket.hashCode() * 0x9E3779B97F4A7C15L;
        return "%016x%016x".formatted(server.startedMicros(), hash);
    }
}
