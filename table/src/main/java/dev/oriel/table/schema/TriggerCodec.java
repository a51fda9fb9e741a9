package dev.oriel.table.schema;

import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Trigger.Timing;
import dev.oriel.table.value.NativeBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The bytes of a [Trigger], after the header that [CatalogCodec] gives all definitions.
final class TriggerCodec {
    /// Kind of a definition.
    static final int KIND = 21;

    private static final int PER_ROW = 1;
    private static final int ENABLED = 2;
    private static final int CALLS = 4;
    private static final int CONDITION = 8;

    /// The codes are the places in these lists.
    private static final List<Timing> TIMINGS =
            List.of(Timing.BEFORE, Timing.AFTER, Timing.INSTEAD);

    /// The bits are the places in this list.
    private static final List<Event> EVENTS =
            List.of(Event.INSERT, Event.UPDATE, Event.DELETE, Event.TRUNCATE);

    private TriggerCodec() {}

    static void put(NativeBuffer out, Trigger trigger) {
        CatalogCodec.putName(out, trigger.name());
        out.putLong(trigger.of());
        out.putByte(TIMINGS.indexOf(trigger.timing()));
        int events = 0;
        for (Event event : trigger.events()) {
            events |= 1 << EVENTS.indexOf(event);
        }
        out.putByte(events);
        String when = trigger.when();
        out.putByte(
                (trigger.perRow() ? PER_ROW : 0)
                        | (trigger.enabled() ? ENABLED : 0)
                        | (trigger.calls() ? CALLS : 0)
                        | (when == null ? 0 : CONDITION));
        putNames(out, trigger.columns());
        Trigger.Names names = trigger.names();
        putNames(out, List.of(names.oldRow(), names.newRow(), names.oldTable(), names.newTable()));
        putNames(out, trigger.path());
        if (when != null) {
            CatalogCodec.putLongText(out, when);
        }
        CatalogCodec.putLongText(out, trigger.body());
    }

    private static void putNames(NativeBuffer out, List<String> names) {
        out.putShort(names.size());
        names.forEach(name -> CatalogCodec.putName(out, name));
    }

    static Trigger trigger(long id, ByteBuffer in) {
        String name = CatalogCodec.name(in);
        long of = in.getLong();
        int timing = in.get();
        int bits = in.get();
        if (timing < 0 || timing >= TIMINGS.size() || bits <= 0 || bits >= 1 << EVENTS.size()) {
            throw CatalogCodec.unknown("moment of a trigger");
        }
        Set<Event> events = new HashSet<>();
        for (int i = 0; i < EVENTS.size(); i++) {
            if ((bits & 1 << i) != 0) {
                events.add(EVENTS.get(i));
            }
        }
        int flags = in.get();
        if (flags < 0 || flags > (PER_ROW | ENABLED | CALLS | CONDITION)) {
            throw CatalogCodec.unknown("flags of a trigger");
        }
        List<String> columns = names(in);
        List<String> named = names(in);
        if (named.size() != 4) {
            throw CatalogCodec.unknown("names of a trigger");
        }
        List<String> path = names(in);
        String when = (flags & CONDITION) == 0 ? null : CatalogCodec.longText(in);
        return new Trigger(
                id,
                name,
                of,
                TIMINGS.get(timing),
                events,
                columns,
                (flags & PER_ROW) != 0,
                new Trigger.Names(named.get(0), named.get(1), named.get(2), named.get(3)),
                when,
                CatalogCodec.longText(in),
                path,
                (flags & ENABLED) != 0,
                (flags & CALLS) != 0);
    }

    private static List<String> names(ByteBuffer in) {
        int count = in.getShort() & 0xFFFF;
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(CatalogCodec.name(in));
        }
        return names;
    }
}
