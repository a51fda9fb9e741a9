package dev.oriel.bench.arcadedb;

import com.arcadedb.database.Database;
import com.arcadedb.database.DatabaseFactory;
import com.arcadedb.database.Document;
import com.arcadedb.database.RID;
import com.arcadedb.exception.RecordNotFoundException;
import com.arcadedb.graph.Edge;
import com.arcadedb.graph.MutableEdge;
import com.arcadedb.graph.MutableVertex;
import com.arcadedb.graph.Vertex;
import dev.oriel.bench.graph.LinkStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// LinkBench's graph in ArcadeDB. There is always a transaction.
final class ArcadeDbLinks implements LinkStore {
    static final String NODE = "node";
    static final String LINK = "link";

    private final DatabaseFactory factory;
    private final Database database;

    ArcadeDbLinks(DatabaseFactory factory, Database database) {
        this.factory = factory;
        this.database = database;
        database.begin();
    }

    private @Nullable Vertex found(Object id) {
        try {
            return database.lookupByRID((RID) id, true).asVertex();
        } catch (RecordNotFoundException e) {
            return null; // that is how the API says it
        }
    }

    private @Nullable Edge found(Object from, Object to) {
        Vertex source = found(from);
        if (source == null) {
            return null;
        }
        for (Edge link : source.getEdges(Vertex.DIRECTION.OUT, LINK)) {
            if (link.getIn().equals(to)) {
                return link;
            }
        }
        return null;
    }

    @Override
    public Object addNode(int version, long time, String data) {
        return database.newVertex(NODE)
                .set("version", version)
                .set("time", time)
                .set("data", data)
                .save()
                .getIdentity();
    }

    @Override
    public boolean updateNode(Object id, int version, long time, String data) {
        Vertex node = found(id);
        if (node == null) {
            return false;
        }
        MutableVertex changed = node.modify();
        changed.set("version", version).set("time", time).set("data", data).save();
        return true;
    }

    @Override
    public boolean deleteNode(Object id) {
        Vertex node = found(id);
        if (node == null) {
            return false;
        }
        node.delete();
        return true;
    }

    @Override
    public long node(Object id) {
        Vertex node = found(id);
        return node == null ? 0 : sum(node.getInteger("version"), node);
    }

    private static long sum(int version, Document element) {
        return LinkStore.sum(version, element.getLong("time"), element.getString("data"));
    }

    @Override
    public void newLink(Object from, Object to, long time, String data) {
        Vertex source = database.lookupByRID((RID) from, true).asVertex();
        source.newEdge(LINK, (RID) to, "time", time, "data", data);
    }

    @Override
    public boolean addLink(Object from, Object to, long time, String data) {
        if (updateLink(from, to, time, data)) {
            return true;
        }
        if (found(from) == null || found(to) == null) {
            return false;
        }
        newLink(from, to, time, data);
        return true;
    }

    @Override
    public boolean updateLink(Object from, Object to, long time, String data) {
        Edge link = found(from, to);
        if (link == null) {
            return false;
        }
        MutableEdge changed = link.modify();
        changed.set("time", time).set("data", data).save();
        return true;
    }

    @Override
    public boolean deleteLink(Object from, Object to) {
        Edge link = found(from, to);
        if (link == null) {
            return false;
        }
        link.delete();
        return true;
    }

    @Override
    public long link(Object from, Object to) {
        Edge link = found(from, to);
        return link == null ? 0 : sum(0, link);
    }

    @Override
    public long countLinks(Object from) {
        Vertex source = found(from);
        return source == null ? 0 : source.countEdges(Vertex.DIRECTION.OUT, LINK);
    }

    @Override
    public long links(Object from) {
        Vertex source = found(from);
        if (source == null) {
            return 0;
        }
        List<Link> newest = new ArrayList<>();
        for (Edge link : source.getEdges(Vertex.DIRECTION.OUT, LINK)) {
            newest.add(new Link(link.getLong("time"), sum(0, link)));
        }
        newest.sort(Comparator.comparingLong(link -> -link.time));
        long sum = 0;
        for (Link link : newest.subList(0, Math.min(newest.size(), LINKS_MAX))) {
            sum = 31 * sum + link.sum;
        }
        return sum;
    }

    private record Link(long time, long sum) {}

    @Override
    public void commit() {
        database.commit();
        database.begin();
    }

    @Override
    public void close() {
        database.rollback();
        database.close();
        factory.close();
    }
}
