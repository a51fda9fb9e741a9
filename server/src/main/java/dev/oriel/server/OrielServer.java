package dev.oriel.server;

import dev.oriel.Database;
import dev.oriel.internal.Layers;
import dev.oriel.kv.Buckets;
import dev.oriel.kv.Status;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.LimitException;
import dev.oriel.store.RecoveryFigures;
import dev.oriel.store.UsageException;
import dev.oriel.table.TableSize;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// A database over the network. The composition root of this module.
///
/// A few threads read and write the network. A request that may wait for a lock or the disk runs on a virtual
/// thread of its connection's (see [Connection]).
///
/// Without users any client that can reach the server may do everything, so it listens at this machine's own
/// address only.
public final class OrielServer implements AutoCloseable {
    private static final int WRITE_LOW_BYTES = 64 << 10;
    private static final int WRITE_HIGH_BYTES = 256 << 10;
    private static final long END_SECONDS_MAX = 10;

    /// Limit of HTTP connections. They are counted separately, lest clients that take all others hide the server's
    /// health.
    static final int HTTP_CONNECTIONS_MAX = 64;

    /// Limit of connections through the admin socket.
    private static final int ADMINS_MAX = 16;

    /// Interval of checks for users changed by SQL, and for a changed certificate.
    private static final long LOOK_MILLIS = 1_000;

    private final Database database;
    private final Buckets buckets;
    private final SessionPool sessions = new SessionPool();
    private final BucketSizes sizes;
    private final ServerOptions options;
    private final ServerLog log;
    private final Metrics metrics = new Metrics();
    private final Latencies latencies = new Latencies();
    private final SlowOperations slow;
    private final Jobs jobs = new Jobs(this);
    private final QuietSpace quiet;
    private final QuietMemory quietMemory;
    private volatile boolean ownsProcess;
    private final AtomicBoolean looking = new AtomicBoolean();
    private final List<ScheduledBackups> scheduled;
    private final AtomicLong connectionIds = new AtomicLong();
    private volatile @Nullable Runnable stop;
    private volatile @Nullable ServiceNotices notices;
    private @Nullable AdminSocket adminSocket;
    private final Refusals refusals;
    private final DelayedFlushes flushes = new DelayedFlushes(this::empty, this::later);
    private final LoginDelays loginDelays = new LoginDelays(System::nanoTime);
    private final EntryReads reads;
    private volatile long strangerMillis = 30_000;
    private volatile long stallNanos = TimeUnit.SECONDS.toNanos(30);

    /// Bytes of the long values of all requests so far.
    private final LongAdder longValues = new LongAdder();

    private final Users users;
    private final Accounts accounts;
    private final Runnable unwatch;
    private final Memory memory;
    private final Memory answers;
    private final Memory changes;
    private final Certificate certificate;
    private final String instance = UUID.randomUUID().toString();
    private final long startedMicros;
    private final long startedNanos = System.nanoTime();
    private final ExecutorService workers =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("oriel-request-", 0).factory());
    private final MultiThreadIoEventLoopGroup loops;
    private final Pulse pulse;
    private final Map<Listener, Channel> listening = new EnumMap<>(Listener.class);
    private final Map<Listener, AcceptGuard> guards = new EnumMap<>(Listener.class);
    private final ConcurrentMap<Connection, Channel> connections = new ConcurrentHashMap<>();
    private final int connectionsMax;
    private final AtomicInteger clientCount = new AtomicInteger();
    private final AtomicInteger httpCount = new AtomicInteger();
    private final AtomicInteger adminCount = new AtomicInteger();

    /// Number of clients beyond the limit that wait for their refusal.
    private final AtomicInteger turnedAway = new AtomicInteger();

    private final AtomicBoolean closed = new AtomicBoolean();

    /// Questions of SQL that are being answered.
    private final Questions questions;

    private OrielServer(Database database, ServerOptions options, ServerLog log) {
        this.database = database;
        this.buckets = database.buckets();
        this.sizes = new BucketSizes(buckets::sizes, System::nanoTime);
        this.reads = new EntryReads(buckets::nowMicros);
        this.options = options;
        this.log = log;
        this.questions = new Questions(closed::get, log);
        this.quiet = new QuietSpace(database, log, System::nanoTime);
        this.quietMemory = new QuietMemory(longValues::sum, QuietMemory::collect, System::nanoTime);
        this.refusals = new Refusals(metrics, log, System::nanoTime);
        this.slow = new SlowOperations(options.admin().slowMicros());
        Clock clock = Clock.system(ZoneId.systemDefault());
        this.scheduled =
                options.admin().schedules().stream()
                        .map(schedule -> new ScheduledBackups(this, schedule, clock))
                        .toList();
        this.users = Users.of(database);
        this.accounts = new Accounts(users, options.users(), log);
        this.unwatch = users.watch(accounts::refresh);
        this.memory = new Memory(options.memoryBytesMax());
        this.answers = new Memory(Math.max(1 << 20, options.memoryBytesMax() / 2));
        this.changes = new Memory(Math.max(1 << 20, MachineLimits.directBytes() / 4));
        this.certificate = new Certificate(options.certificate(), options.certificateKey(), log);
        this.startedMicros = buckets.nowMicros();
        this.connectionsMax =
                Descriptors.connections(options.connectionsMax(), HTTP_CONNECTIONS_MAX, log);
        this.loops =
                new MultiThreadIoEventLoopGroup(
                        options.threads(),
                        EnduringLoop.factory(NioIoHandler.newFactory(), metrics, log));
        this.pulse = new Pulse(loops, System::nanoTime);
    }

    /// Serves `database`, which stays the caller's, until the result is closed.
    ///
    /// @throws UsageException if the options admit other machines without a login, or contradict
    ///     each other
    /// @throws LimitException if a port is taken
    public static OrielServer start(Database database, ServerOptions options, ServerLog log) {
        OrielServer server = new OrielServer(database, options, log);
        boolean started = false;
        try {
            server.accounts.read();
            check(options, server.accounts.isOpen());
            server.listen();
            started = true;
            return server;
        } finally {
            if (!started) {
                server.close();
            }
        }
    }

    private static void check(ServerOptions options, boolean open) {
        boolean local;
        try {
            local = InetAddress.getByName(options.host()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new UsageException(
                    "This machine has no such address to listen on", "host=" + options.host(), e);
        }
        if (!local && open) {
            throw new UsageException(
                    "A server that listens to other machines needs users; give some, or listen"
                            + " at 127.0.0.1",
                    "host=" + options.host());
        }
        if (options.couchbasePort() >= 0 && open) {
            throw new UsageException(
                    "Couchbase's clients log in, so the server needs a user; give one", "");
        }
        if ((options.certificate() == null) != (options.certificateKey() == null)) {
            throw new UsageException(
                    "Only one of the certificate and its key is given; give both", "");
        }
    }

    private void listen() {
        Descriptors.openClassPath();
        log.said(
                "starting",
                "version",
                ProductVersion.number(),
                "java",
                Runtime.version().toString(),
                "heap_bytes_max",
                Long.toString(MachineLimits.heapBytes()),
                "direct_bytes_max",
                Long.toString(MachineLimits.directBytes()),
                "memory_bytes",
                Long.toString(options.memoryBytesMax()),
                "connections",
                Integer.toString(connectionsMax));
        tellRecovery();
        certificate.read();
        buckets.session(options.bucket()).close(); // creates it
        bind(Listener.MEMCACHED, options.memcachedPort());
        bind(Listener.COUCHBASE, options.couchbasePort());
        bind(Listener.HTTP, options.httpPort());
        listenToAdmins();
        var _ =
                loops.scheduleWithFixedDelay(
                        this::lookLater, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /// Logs the recovery at the opening of the database.
    private void tellRecovery() {
        Path folder = database.folder();
        if (folder == null) {
            return;
        }
        RecoveryFigures recovery = database.recovery();
        log.said(
                "The database is open",
                "path",
                folder.toString(),
                "closed_in_order",
                Boolean.toString(recovery.clean()),
                "recovered_log_bytes",
                Long.toString(recovery.logBytes()),
                "recovered_commits",
                Long.toString(recovery.commits()),
                "recovered_shadow_pages",
                Long.toString(recovery.shadowPages()),
                "millis",
                Long.toString(TimeUnit.NANOSECONDS.toMillis(recovery.nanos())));
    }

    /// Looks for changes in another thread. An error here would end all further looks.
    private void lookLater() {
        try {
            workers.execute(this::lookForChanges);
        } catch (OutOfMemoryError e) { // the next look follows
            log.lost();
        }
    }

    /// Checks for changed users and a changed certificate, for backups that are due, and for a pause.
    void lookForChanges() {
        accounts.refresh();
        certificate.refresh();
        certificate.tellExpiry(buckets.nowMicros() / 1_000);
        log.tellLeftOut();
        questions.cancelUnwanted();
        if (memory.waiting() > 0 || answers.waiting() > 0) {
            connections.forEach(Connection::closeIfStalled);
        }
        scheduled.forEach(ScheduledBackups::look);
        if (looking.compareAndSet(false, true)) { // giving space back may take longer than a second
            try {
                boolean gaveBack = quiet.look();
                if (ownsProcess) {
                    quietMemory.look(gaveBack);
                }
            } finally {
                looking.set(false);
            }
        }
    }

    /// Opens the admin socket, if one is wanted.
    private void listenToAdmins() {
        Path file = options.admin().socket();
        if (file == null) {
            return;
        }
        try {
            AcceptGuard guard = new AcceptGuard(Listener.ADMIN, metrics, log);
            AdminSocket opened = AdminSocket.open(file, loops, guard, this::acceptAdmin);
            adminSocket = opened;
            listening.put(Listener.ADMIN, opened.channel());
            guards.put(Listener.ADMIN, guard);
            log.said("listening", "protocol", "admin", "socket", file.toString());
        } catch (IOException e) {
            if (options.admin().socketNeeded()) {
                throw new LimitException(
                        "The admin socket cannot be created; name another file for it",
                        "socket=" + file,
                        e);
            }
            log.failed("There is no admin socket; name a file for it", e, "socket", file + "");
        }
    }

    private void acceptAdmin(Channel channel) {
        if (adminCount.incrementAndGet() > ADMINS_MAX) {
            adminCount.decrementAndGet();
            metrics.rejected.increment();
            Connection.close(channel);
            return;
        }
        channel.closeFuture().addListener(over -> adminCount.decrementAndGet());
        channel.pipeline().addLast(new Connection(this, Listener.ADMIN));
    }

    private void bind(Listener listener, int port) {
        if (port < 0) {
            return;
        }
        AcceptGuard guard = new AcceptGuard(listener, metrics, log);
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(loops)
                        .handler(guard)
                        .channel(NioServerSocketChannel.class)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .option(ChannelOption.SO_BACKLOG, 1_024)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childOption(
                                ChannelOption.WRITE_BUFFER_WATER_MARK,
                                new WriteBufferWaterMark(WRITE_LOW_BYTES, WRITE_HIGH_BYTES))
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        accept(listener, channel);
                                    }
                                });
        InetSocketAddress address = new InetSocketAddress(options.host(), port);
        var bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new LimitException(
                    "The server cannot listen on the port; is another server running there?",
                    "address=" + options.host() + ":" + port,
                    bound.cause());
        }
        listening.put(listener, bound.channel());
        guards.put(listener, guard);
        log.said(
                "listening",
                "protocol",
                listener.label(),
                "port",
                Integer.toString(port(listener)),
                "tls",
                Boolean.toString(certificate.context() != null));
    }

    private void accept(Listener listener, SocketChannel channel) {
        AtomicInteger count = listener == Listener.HTTP ? httpCount : clientCount;
        int countMax = listener == Listener.HTTP ? HTTP_CONNECTIONS_MAX : connectionsMax;
        if (count.incrementAndGet() > countMax) {
            count.decrementAndGet();
            metrics.rejected.increment();
            boolean encrypts = certificate.context() != null;
            TurnedAway.turnAway(listener, channel, encrypts, turnedAway, log);
            return;
        }
        channel.closeFuture().addListener(over -> count.decrementAndGet());
        SslContext tls = certificate.context();
        if (tls != null) {
            channel.pipeline().addLast(tls.newHandler(channel.alloc()));
        }
        if (options.idleMillis() > 0) {
            channel.pipeline()
                    .addLast(
                            new IdleStateHandler( // slow output is not idle
                                    true, 0, 0, options.idleMillis(), TimeUnit.MILLISECONDS));
        }
        channel.pipeline().addLast(new Connection(this, listener));
    }

    /// The port that it listens at, which the system may have chosen; -1 for none.
    public int port(Listener listener) {
        Channel channel = listening.get(listener);
        return channel != null && channel.localAddress() instanceof InetSocketAddress address
                ? address.getPort()
                : -1;
    }

    /// The channel that accepts the connections of `listener`; null if it is not served.
    @Nullable Channel listening(Listener listener) {
        return listening.get(listener);
    }

    /// The port of memcached's protocols.
    public int memcachedPort() {
        return port(Listener.MEMCACHED);
    }

    /// The port of Couchbase's clients.
    public int couchbasePort() {
        return port(Listener.COUCHBASE);
    }

    /// The port of HTTP.
    public int httpPort() {
        return port(Listener.HTTP);
    }

    /// Number of connected clients.
    public int connectionCount() {
        return clientCount.get() + httpCount.get() + adminCount.get();
    }

    /// Snapshots of all connections, in the order of their numbers.
    List<Connection.View> connectionViews() {
        return connections.keySet().stream()
                .map(Connection::view)
                .sorted(Comparator.comparingLong(Connection.View::id))
                .toList();
    }

    /// Closes the connection of that number at once; false if there is none.
    boolean disconnect(long id) {
        for (Map.Entry<Connection, Channel> one : connections.entrySet()) {
            if (one.getKey().id() == id) {
                Connection.close(one.getValue());
                return true;
            }
        }
        return false;
    }

    long nextConnectionId() {
        return connectionIds.incrementAndGet();
    }

    /// Tells systemd that the server serves, and from then on that it lives, as `environment` asks for; see
    /// sd_notify(3). [#close] tells it of the end. Without systemd this does nothing.
    public void notifyService(Map<String, String> environment) {
        notices = ServiceNotices.begin(environment, () -> deadThreads() == 0, log);
    }

    /// Tells it that the process only serves: in a pause after long values it collects garbage, and gives memory back
    /// to the system.
    public void ownsProcess() {
        ownsProcess = true;
    }

    /// Sets the action for an admin's request to stop the server, called by a thread of its own. It should close
    /// the server and the database. Without one, the server cannot be stopped so.
    public void onStop(Runnable stopping) {
        stop = stopping;
    }

    /// Begins to stop; false if the program has set no action.
    boolean stop() {
        Runnable stopping = stop;
        if (stopping == null) {
            return false;
        }
        Thread.ofPlatform().name("oriel-stopping").start(stopping);
        return true;
    }

    /// Whether it is stopping, or has stopped.
    boolean isClosed() {
        return closed.get();
    }

    Latencies latencies() {
        return latencies;
    }

    SlowOperations slow() {
        return slow;
    }

    Jobs jobs() {
        return jobs;
    }

    Questions questions() {
        return questions;
    }

    /// Time of the next automatic backup; null if there are none.
    @Nullable ZonedDateTime nextBackup() {
        return scheduled.stream()
                .map(ScheduledBackups::due)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /// Maximum number of clients, not counting HTTP.
    int connectionsMax() {
        return connectionsMax;
    }

    /// The reason that new clients of `listener` are not served; empty if they are.
    String failure(Listener listener) {
        Channel channel = listening.get(listener);
        AcceptGuard guard = guards.get(listener);
        if (channel == null || guard == null) {
            return "";
        }
        if (!channel.isOpen()) {
            return "The port is closed";
        }
        return pulse.isDead(channel.eventLoop())
                ? "The thread of the port does not answer"
                : guard.failure();
    }

    /// The size of a bucket; empty if there is none of that name.
    TableSize size(@Nullable String bucket) {
        Long table = bucket == null ? null : buckets.ids().get(bucket.toLowerCase(Locale.ROOT));
        return table == null
                ? new TableSize(0, 0, true)
                : Layers.tables(database).statistics().size(table);
    }

    /// Protocol, address and port of a listener, as `stats conns` shows them.
    String listenAddress(String label) {
        for (Listener listener : listening.keySet()) {
            if (listener.label().equals(label)) {
                return "tcp:" + options.host() + ":" + port(listener);
            }
        }
        return "";
    }

    /// Number of network threads that do not answer.
    int deadThreads() {
        return pulse.deadCount();
    }

    /// The protocols that are served.
    Set<Listener> listeners() {
        return Collections.unmodifiableSet(listening.keySet());
    }

    Database database() {
        return database;
    }

    Buckets buckets() {
        return buckets;
    }

    /// Sessions on buckets for the clients' requests.
    SessionPool sessions() {
        return sessions;
    }

    BucketSizes sizes() {
        return sizes;
    }

    ServerOptions options() {
        return options;
    }

    Memory memory() {
        return memory;
    }

    /// Bytes that are free on the disk of the database; -1 if it is in memory or the system does not tell.
    long diskRoomBytes() {
        Path folder = database.folder();
        return folder == null ? -1 : folder.toFile().getUsableSpace();
    }

    Refusals refusals() {
        return refusals;
    }

    /// Heap for long values of answers.
    Memory answers() {
        return answers;
    }

    /// Native memory for changes of long values.
    Memory changes() {
        return changes;
    }

    Certificate certificate() {
        return certificate;
    }

    Accounts accounts() {
        return accounts;
    }

    /// The users that the database keeps; changes count at once, for clients that are connected too.
    public Users users() {
        return users;
    }

    /// Logins at other listeners of this process.
    public Logins logins() {
        return new Logins(this);
    }

    /// Milliseconds after which a connection is closed whose client has not logged in.
    long strangerMillis() {
        return strangerMillis;
    }

    /// For tests, which cannot wait so long.
    void strangerMillis(long wanted) {
        strangerMillis = wanted;
    }

    /// Time without progress after which a client that holds memory is too slow, if others wait.
    long stallNanos() {
        return stallNanos;
    }

    /// For tests, which cannot wait so long.
    void stallNanos(long wanted) {
        stallNanos = wanted;
    }

    /// Bytes of the long values of all requests so far, each as often as memory was taken for it.
    LongAdder longValues() {
        return longValues;
    }

    EntryReads reads() {
        return reads;
    }

    ServerLog log() {
        return log;
    }

    LoginDelays loginDelays() {
        return loginDelays;
    }

    Metrics metrics() {
        return metrics;
    }

    /// A name of this run of the server, different for each.
    String instance() {
        return instance;
    }

    long startedMicros() {
        return startedMicros;
    }

    long uptimeSeconds() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos);
    }

    /// The version that clients get: they look for memcached's numbers in it, and behave accordingly.
    String wireVersion() {
        return "1.6.0+oriel";
    }

    /// The reason that requests cannot be served; empty if they can.
    String unready() {
        if (closed.get()) {
            return "The server is stopping";
        }
        try {
            buckets.session(options.bucket()).close();
            return "";
        } catch (DatabaseException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /// Removes all entries of `bucket`, with a status for any error; on failure, some of them may be removed.
    Status empty(String bucket) {
        try {
            buckets.clear(bucket);
            return Status.SUCCESS;
        } catch (DatabaseException e) {
            return refusals.status("A bucket could not be emptied", e);
        }
    }

    void execute(Runnable work) {
        workers.execute(work);
    }

    /// Pending removals of all entries of a bucket.
    DelayedFlushes flushes() {
        return flushes;
    }

    private Future<?> later(Runnable work, long micros) {
        ScheduledFuture<?> later =
                loops.schedule(() -> workers.execute(work), micros, TimeUnit.MICROSECONDS);
        later.addListener(done -> {
            if (done.cause() != null && !done.isCancelled()) {
                log.failed("What was put off could not be done", done.cause());
            }
        });
        return later;
    }

    void opened(Connection connection, Channel channel) {
        metrics.connections.increment();
        connections.put(connection, channel);
        if (closed.get()) {
            connection.end(channel);
        }
    }

    void closed(Connection connection) {
        connections.remove(connection);
    }

    /// Ends it: no more clients are accepted, the received requests are executed and answered, then the
    /// connections are closed. A second call does nothing.
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        ServiceNotices told = notices;
        if (told != null) {
            told.close();
        }
        unwatch.run();
        loginDelays.close();
        questions.cancelAll();
        jobs.close();
        if (adminSocket != null) {
            adminSocket.close();
        }
        listening.values().forEach(channel -> channel.close().awaitUninterruptibly());
        connections.forEach(Connection::end);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS_MAX);
        while (!connections.isEmpty() && System.nanoTime() < deadline) {
            questions.cancelAll(); // again: one may have begun since
            Channel some = connections.values().stream().findAny().orElse(null);
            if (some != null) {
                some.closeFuture().awaitUninterruptibly(100);
            }
        }
        connections.values().forEach(channel -> channel.close().awaitUninterruptibly());
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        workers.shutdown();
        log.said("stopped");
    }
}
