package dev.oriel.bench.voron;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// The article's second design, reimplemented in Java: each page has a buffer that grows and is written in place.
/// Removing versions advances the start of the buffer; a buffer consumed to its last slot starts again at its
/// beginning. That saves most of the garbage, and is the regression of the article: **the key stays**. So the map
/// only ever grows, lookups that used to miss find a dead buffer, and each removal visits every page ever written.
///
/// As in the article, slots are not cleared when a buffer starts again, so the next removal scans them once more.
/// The fix shipped later removes the key of an empty buffer from the map: `dropsEmpty`.
///
/// The article relies on the memory order of its platform; here it is explicit: a slot is written before the
/// release of the end that covers it.
final class BufferedVersions implements VersionMap {
    private static final VarHandle START;
    private static final VarHandle END;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            START = lookup.findVarHandle(Buffer.class, "start", int.class);
            END = lookup.findVarHandle(Buffer.class, "end", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ConcurrentHashMap<Object, Buffer> buffers = new ConcurrentHashMap<>();
    private final LongFunction<Object> keyOf;
    private final boolean dropsEmpty;

    /// @param keyOf creates the key of a page
    /// @param dropsEmpty whether to remove the key of an empty buffer
    BufferedVersions(LongFunction<Object> keyOf, boolean dropsEmpty) {
        this.keyOf = keyOf;
        this.dropsEmpty = dropsEmpty;
    }

    private record Version(long txid, long position) {}

    /// Live versions are between start and end. Written by one thread.
    private static final class Buffer {
        final @Nullable Version[] slots;
        int start;
        int end;

        Buffer(int length) {
            slots = new Version[length];
        }

        /// A buffer of twice the length with the live versions.
        Buffer grown() {
            Buffer more = new Buffer(slots.length * 2);
            System.arraycopy(slots, start, more.slots, 0, end - start);
            more.end = end - start;
            return more;
        }

        void add(Version version) {
            slots[end] = version;
            END.setRelease(this, end + 1);
        }

        void consume(long txid) {
            int at = start;
            while (at < slots.length) {
                Version version = slots[at];
                if (version == null || version.txid > txid) {
                    break;
                }
                at++;
            }
            if (at == slots.length) {
                END.setRelease(this, 0);
                at = 0;
            }
            START.setRelease(this, at);
        }
    }

    @Override
    public void setItems(long txid, long[] pages, long[] positions) {
        for (int i = 0; i < pages.length; i++) {
            Object key = keyOf.apply(pages[i]);
            Buffer buffer = buffers.computeIfAbsent(key, page -> new Buffer(2));
            if (buffer.end == buffer.slots.length) {
                buffer = buffer.grown();
                buffers.put(key, buffer);
            }
            buffer.add(new Version(txid, positions[i]));
        }
    }

    @Override
    public void removeBefore(long txid) {
        buffers.forEach((page, buffer) -> {
            buffer.consume(txid);
            if (dropsEmpty && buffer.start == buffer.end) {
                buffers.remove(page);
            }
        });
    }

    @Override
    public long get(long page, long snapshot) {
        Buffer buffer = buffers.get(keyOf.apply(page));
        if (buffer != null) {
            int start = (int) START.getAcquire(buffer);
            for (int i = (int) END.getAcquire(buffer) - 1; i >= start; i--) {
                Version version = buffer.slots[i];
                if (version != null && version.txid <= snapshot) {
                    return version.position;
                }
            }
        }
        return MISSING;
    }

    @Override
    public long keys() {
        return buffers.mappingCount();
    }
}
