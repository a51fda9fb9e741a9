package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import java.util.List;

/// The peers that are graphs. Their versions are defined in the POMs of their modules.
public final class PeerGraphSubjects implements Subjects {
    static final List<String> ARCADEDB =
            List.of(
                    "--add-modules=jdk.incubator.vector",
                    "--add-opens=java.base/java.nio.channels.spi=ALL-UNNAMED",
                    "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
                    "--add-exports=java.management/sun.management=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow");
    private static final List<String> FILES_OPEN =
            List.of(
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/java.nio=ALL-UNNAMED",
                    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow");
    private static final List<String> HUGEGRAPH =
            List.of(
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/java.nio=ALL-UNNAMED",
                    "--add-opens=java.base/jdk.internal.reflect=ALL-UNNAMED");

    @Override
    public List<Subject> subjects() {
        return List.of(
                new TinkerGraphSubject(),
                new ApartGraphSubject(
                        "hugegraph",
                        "HugeGraph 1.5.0 on RocksDB in its own process under JDK 17, embedded as its"
                                + " example PerfExample3 has it, serializer binary, defaults otherwise"
                                + " (its cache of vertices and edges is on); primary key name. It writes"
                                + " RocksDB's log without syncing it, and has no setting for more. An edge"
                                + " label has one edge between the same two vertices. Bytes allocated are"
                                + " those of threads that still live, as JDK 17 tells no more",
                        List.of(Durability.WRITTEN),
                        HUGEGRAPH,
                        true),
                new ApartGraphSubject(
                        "arcadedb",
                        "ArcadeDB 26.7.1 embedded, its Java API, unique index on name where that is the"
                                + " key, edges with records of their own, defaults otherwise (pages cached"
                                + " in a quarter of the heap); written: txWalFlush 0, the default; synced:"
                                + " txWalFlush 1",
                        List.of(Durability.WRITTEN, Durability.SYNC),
                        ARCADEDB,
                        false),
                new ApartGraphSubject(
                        "neo4j",
                        "Neo4j 2026.08.1 Community embedded, its Java API,"
                                + " uniqueness constraint on name where that is the key, range indexes,"
                                + " page cache a quarter of the heap's size, transaction logs not"
                                + " preallocated, defaults otherwise. It syncs its log at every commit,"
                                + " and we know no setting that changes that. Its importer is a program of"
                                + " its distribution and no part of the embedded database",
                        List.of(Durability.SYNC),
                        FILES_OPEN,
                        false),
                new ApartGraphSubject(
                        "janusgraph",
                        "JanusGraph 1.1.0 on BerkeleyDB JE in this process, declared schema and no other"
                                + " (schema.default none), unique composite index on name where that is"
                                + " the key (this backend takes no strings as ids), composite indexes of"
                                + " city and age, which serve equal values alone (ranges need an external"
                                + " index); cache of JE 65 % of the heap, the default; written:"
                                + " je.txn.durability write_no_sync; synced: JE's default. Its batch"
                                + " loading refuses transactions of threads on this backend",
                        List.of(Durability.WRITTEN, Durability.SYNC),
                        FILES_OPEN,
                        false));
    }
}
