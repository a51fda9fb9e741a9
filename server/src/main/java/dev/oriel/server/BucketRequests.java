package dev.oriel.server;

import dev.oriel.kv.Status;
import dev.oriel.server.HttpProtocol.Answer;
import dev.oriel.server.HttpProtocol.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Requests of Couchbase's SDKs about buckets, scopes and collections over HTTP: the paths below `/pools/default`.
/// Error messages are the words of Couchbase's server that the SDKs look for.
final class BucketRequests {
    static final String POOL = "/pools/default";

    /// Names of scopes and collections; names that begin with `_` or `%` are reserved.
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-][A-Za-z0-9_%-]*");

    private static final Pattern BUCKET_NAME = Pattern.compile("[A-Za-z0-9_.%-]{1,100}");

    private final Client client;
    private final OrielServer server;

    BucketRequests(Client client) {
        this.client = client;
        this.server = client.server();
    }

    Answer answer(Question question) {
        String path = question.path();
        if (path.equals(POOL + "/buckets")) {
            return question.method().equals("POST") ? create(question) : all(question);
        }
        for (String prefix : List.of(POOL + "/buckets/", POOL + "/b/")) {
            if (path.startsWith(prefix)) {
                return bucket(question, path.substring(prefix.length()));
            }
        }
        return Answer.error(404, "There is nothing at " + path);
    }

    private Answer all(Question question) {
        List<String> shown = new ArrayList<>();
        for (String name : server.buckets().names()) {
            if (!name.contains("$") && client.may(Role.READ, name)) {
                shown.add(config(question, name));
            }
        }
        return Answer.json("[" + String.join(",", shown) + "]");
    }

    private String config(Question question, String bucket) {
        String host = question.headers().getOrDefault("host", server.options().host());
        return ClusterConfig.of(server, bucket).replace("$HOST", host.replaceFirst(":[0-9]+$", ""));
    }

    private boolean exists(String bucket) {
        return server.buckets().exists(bucket) || bucket.equals(server.options().bucket());
    }

    private Answer create(Question question) {
        String name = question.field("name");
        if (!BUCKET_NAME.matcher(name).matches()) {
            return Answer.error(
                    400,
                    "The name of a bucket has 1 to 100 letters, digits and the characters _ - . %");
        }
        if (exists(name)) {
            return Answer.error(400, "Bucket with given name already exists");
        }
        server.buckets().session(name).close();
        server.log().said("A bucket was created", "bucket", name, "by", client.byWhom());
        return new Answer(202, "application/json", "");
    }

    private Answer bucket(Question question, String rest) {
        String[] parts = rest.split("/", -1);
        String bucket = parts[0];
        if (!client.may(Role.READ, bucket)) {
            return HttpProtocol.denied();
        }
        if (!exists(bucket)) {
            return Answer.error(404, "There is no bucket of that name");
        }
        String method = question.method();
        if (parts.length == 1) {
            return switch (method) {
                case "GET", "HEAD" -> Answer.json(config(question, bucket));
                case "DELETE" -> drop(bucket);
                default -> Answer.error(405, "A bucket has no settings that could be changed");
            };
        }
        if (method.equals("POST") && rest.endsWith("/controller/doFlush") && parts.length == 3) {
            return flush(bucket);
        }
        if (!parts[1].equals("scopes")) {
            return Answer.error(404, "There is nothing at " + question.path());
        }
        return scopes(question, bucket, parts);
    }

    private Answer drop(String bucket) {
        if (!client.isAdmin()) {
            return HttpProtocol.denied();
        }
        if (bucket.equals(server.options().bucket())) {
            return Answer.error(405, "The bucket of memcached clients cannot be dropped; flush it");
        }
        for (String kept : Manifest.keptIn(server, bucket, "")) {
            boolean _ = server.buckets().drop(kept);
        }
        boolean _ = server.buckets().drop(bucket);
        server.log().said("A bucket was dropped", "bucket", bucket, "by", client.byWhom());
        return new Answer(200, "application/json", "");
    }

    private Answer flush(String bucket) {
        List<String> all = new ArrayList<>(Manifest.keptIn(server, bucket, ""));
        all.add(bucket);
        for (String one : all) {
            Status status = server.empty(one);
            if (status != Status.SUCCESS) {
                return Answer.error(503, "The bucket cannot be emptied now; try again");
            }
        }
        return new Answer(200, "application/json", "");
    }

    private Answer scopes(Question question, String bucket, String[] parts) {
        boolean post = question.method().equals("POST");
        boolean delete = question.method().equals("DELETE");
        if (parts.length == 2 && question.method().equals("GET")) {
            return Answer.json(Manifest.of(server, bucket));
        }
        if ((post || delete) && !client.may(Role.ADMIN, bucket)) {
            return HttpProtocol.denied();
        }
        boolean ofCollection = parts.length >= 4 && parts[3].equals("collections");
        if (parts.length == 2 && post) {
            return createScope(bucket, question.field("name"));
        }
        if (parts.length == 3 && delete) {
            return dropScope(bucket, parts[2]);
        }
        if (parts.length == 4 && ofCollection && post) {
            return createCollection(bucket, parts[2], question.field("name"));
        }
        if (parts.length == 5 && ofCollection && delete) {
            return dropCollection(bucket, parts[2], parts[4]);
        }
        return Answer.error(405, "This method is not supported here");
    }

    private Answer changed() {
        return Answer.json("{\"uid\":\"" + Long.toHexString(Manifest.uid(server)) + "\"}");
    }

    private Answer createScope(String bucket, String scope) {
        if (!NAME.matcher(scope).matches()) {
            return Answer.error(400, "The scope needs a name of letters, digits, _, - and %");
        }
        if (Manifest.hasScope(server, bucket, scope)) {
            return Answer.error(400, "Scope with name \"" + scope + "\" already exists");
        }
        server.buckets().session(Manifest.bucketName(bucket, scope, Manifest.SCOPE_MARK)).close();
        return changed();
    }

    private Answer dropScope(String bucket, String scope) {
        if (scope.equals(Manifest.DEFAULT)) {
            return Answer.error(400, "The scope _default cannot be dropped");
        }
        List<String> kept = Manifest.keptIn(server, bucket, scope);
        if (kept.isEmpty()) {
            return Answer.error(404, "Scope with name \"" + scope + "\" is not found");
        }
        for (String one : kept) {
            boolean _ = server.buckets().drop(one);
        }
        return changed();
    }

    private Answer createCollection(String bucket, String scope, String name) {
        if (name.isEmpty() || !NAME.matcher(name).matches()) {
            return Answer.error(400, "The collection needs a name of letters, digits, _, - and %");
        }
        String kept = Manifest.bucketName(bucket, scope, name);
        if (server.buckets().exists(kept)) {
            return Answer.error(400, "Collection with name \"" + name + "\" already exists");
        }
        server.buckets().session(kept).close();
        return changed();
    }

    private Answer dropCollection(String bucket, String scope, String name) {
        if (scope.equals(Manifest.DEFAULT) && name.equals(Manifest.DEFAULT)) {
            return Answer.error(400, "The collection _default cannot be dropped");
        }
        if (!Manifest.hasScope(server, bucket, scope)) {
            return Answer.error(404, "Scope with name \"" + scope + "\" is not found");
        }
        List<String> others = Manifest.keptIn(server, bucket, scope);
        String kept = Manifest.bucketName(bucket, scope, name);
        if (Manifest.id(server, bucket, scope, name) < 0) {
            return Answer.error(404, "Collection with name \"" + name + "\" is not found");
        }
        if (others.size() == 1 && !scope.equals(Manifest.DEFAULT)) { // the scope stays
            server.buckets()
                    .session(Manifest.bucketName(bucket, scope, Manifest.SCOPE_MARK))
                    .close();
        }
        boolean _ = server.buckets().drop(kept);
        return changed();
    }
}
