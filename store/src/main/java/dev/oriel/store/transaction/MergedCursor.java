package dev.oriel.store.transaction;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.data.Pages;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.delta.EntryCursor;
import dev.oriel.store.page.Page;
import dev.oriel.store.tree.TreeCursor;
import dev.oriel.store.tree.TreeReader;
import java.lang.ref.WeakReference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The cursor of all transactions: the snapshot's pages and the entries above them, merged into one ordered
/// sequence. Above are the transaction's write set and the deltas of the snapshot ([OwnCursor]). Of two entries with
/// one key the upper one wins. A tombstone hides the entry beneath it and is skipped itself.
///
/// ```
/// snapshot  (base)    a   c   d   f   g       heads: base at d, own at e
/// write set (own)       b -c      e           the cursor stands on d, which comes first
/// seen                a b     d   e f g
/// ```
/// Both halves have a head. The cursor stands on the nearer head in the direction of the last move; the other head
/// waits beyond it, and a step advances only the current one. If the snapshot has been nearer for some steps, the
/// length of its run in this leaf is looked up once, and no keys are compared within it. If the transaction has
/// written nothing to the tree there is only the base.
///
/// Before its own transaction writes, the current key is saved ([#saveKey]); the next move finds the position
/// again.
final class MergedCursor implements Cursor {
    /// On the entry of `base`, or unpositioned.
    private static final int PLAIN = 0;

    /// On `current`; both heads are known.
    private static final int MERGED = 1;

    /// At `savedKey`; only the head of the base is known.
    private static final int WRITE_SET_CHANGED = 2;

    /// At `savedKey`.
    private static final int ALL_CHANGED = 3;

    /// Number of consecutive steps on the base before the length of its run is looked up.
    private static final int STREAK_MIN = 3;

    private static final Slice NO_KEY = new Slice();

    private CursorOwner owner;
    private long root;
    private int state = PLAIN;

    private final TreeCursor base;

    /// Ranges of the base that the transaction has removed; null if there are none.
    private @Nullable HiddenRanges hidden;

    private @Nullable OwnCursor own;

    /// The head that the cursor stands on. While PLAIN it is `base`; calls use that field, since calls of a final class
    /// cost less.
    private EntryCursor current;

    /// Direction of the last move.
    private boolean forward;

    /// Whether the heads stand on entries.
    private boolean baseLive;

    private boolean ownLive;

    /// Whether both heads stand on entries with the same key, of which the own one counts.
    private boolean equal;

    /// Number of steps known to stay on the base: forwards if positive, backwards if negative. Nonzero only while
    /// MERGED.
    private int run;

    private int streak;
    private final Slice savedKey = new Slice();

    /// Key of the own head; valid if `ownKeyKnown`.
    private final Slice ownKey = new Slice();

    private boolean ownKeyKnown;

    /// Exclusive upper bound of the sequence; null if it has none.
    private @Nullable Slice end;

    /// Range passed since the last positioning, of a SERIALIZABLE transaction; else null.
    private ReadSet.@Nullable Range range;

    private final Slice seen = new Slice();

    /// Reference registered with a writing owner; made once, since many transactions use one cursor.
    private @Nullable WeakReference<MergedCursor> reference;

    /// Whether the owner has it registered, and tells it before any change.
    private boolean listed = true;

    MergedCursor(CursorOwner owner, long root) {
        this.owner = owner;
        this.root = root;
        this.base = new TreeCursor(owner, owner.pages(), owner.reader(), root);
        this.current = base;
        owner.register(this);
    }

    @Override
    public void reset(Transaction transaction, Tree tree) {
        StoreTransaction next = (StoreTransaction) transaction;
        next.beginCall();
        try {
            reset(next, tree.root());
        } finally {
            next.endCall();
        }
    }

    @SuppressWarnings("ReferenceEquality") // the very transaction
    void reset(CursorOwner next, long nextRoot) {
        next.checkOpen();
        if (next != owner && listed) {
            owner.forget(this);
            listed = false;
        }
        owner = next;
        if (!listed) {
            next.register(this);
            listed = true;
        }
        root = nextRoot;
        range = null;
        end = null;
        base.reset(next, next.pages(), next.reader(), nextRoot);
        leave();
    }

    WeakReference<MergedCursor> reference() {
        if (reference == null) {
            reference = new WeakReference<>(this);
        }
        return reference;
    }

    /// Unregisters the cursor if it is unpositioned; returns whether it is.
    boolean unlist() {
        boolean nowhere = state == PLAIN && !base.isPositioned();
        listed &= !nowhere;
        return nowhere;
    }

    /// Registers the cursor with its owner again, before it is positioned.
    private void list() {
        owner.checkOpen();
        // The pages may have changed since, as after rebase.
        base.reset(owner, owner.pages(), owner.reader(), root);
        owner.register(this);
        listed = true;
    }

    /// The transaction has ended, and has unregistered the cursor.
    void ended() {
        boolean _ = leave();
        listed = false;
    }

    /// Reads the snapshot through other pages from now on. [#saveKey()] was called before the old pages changed
    /// their meaning.
    void rebase(Pages pages, TreeReader reader) {
        base.reset(owner, pages, reader, root);
        if (state != ALL_CHANGED) {
            leave();
        }
    }

    /// Called before anything may change: the tree itself, the snapshot, the write set.
    void saveKey() {
        if (state == WRITE_SET_CHANGED) {
            state = ALL_CHANGED;
        } else {
            save(ALL_CHANGED);
        }
    }

    /// Called before the write set of tree `changed` may change, and nothing else.
    void saveKey(long changed) {
        if (changed == root) {
            save(WRITE_SET_CHANGED);
        }
    }

    private void save(int why) {
        if (state <= MERGED && current.isPositioned()) {
            current.copyKeyTo(savedKey);
            state = why;
            run = 0;
        }
    }

    /// Makes the cursor unpositioned.
    boolean leave() {
        plain();
        base.leave();
        return false;
    }

    private void plain() {
        if (state != PLAIN) {
            state = PLAIN;
            current = base;
            run = 0;
        }
    }

    @Override
    public boolean next() {
        boolean found = advance() && isBeforeEnd();
        return range == null ? found : observed(found, true);
    }

    private boolean advance() {
        if (state == PLAIN) {
            return base.next();
        }
        if (run > 0) {
            run--;
            return base.next();
        }
        owner.beginCall();
        try {
            return state == ALL_CHANGED ? nextAfterChange() : move(true);
        } finally {
            owner.endCall();
        }
    }

    @Override
    public boolean previous() {
        boolean found = retreat();
        return range == null ? found : observed(found, false);
    }

    private boolean retreat() {
        if (state == PLAIN) {
            return base.previous();
        }
        if (run < 0) {
            run++;
            return base.previous();
        }
        owner.beginCall();
        try {
            return state == ALL_CHANGED ? goBefore(savedKey) : move(false);
        } finally {
            owner.endCall();
        }
    }

    private boolean nextAfterChange() {
        if (!goTo(savedKey)) {
            return false;
        }
        return compareKeyTo(savedKey) != 0 || advance();
    }

    /// Extends the read range of a SERIALIZABLE transaction by the last move.
    private boolean observed(boolean found, boolean ahead) {
        ReadSet.Range passed = Objects.requireNonNull(range);
        if (!found) {
            if (ahead && end != null) {
                passed.extendTo(end);
            } else if (ahead) {
                passed.extendToEnd();
            } else {
                passed.extendToBegin();
            }
        } else {
            key(seen);
            if (ahead) {
                passed.extendTo(seen);
            } else {
                passed.extendDownTo(seen);
            }
        }
        return found;
    }

    /// Starts the read range of a cursor positioned at `key`.
    private boolean begun(Slice key, boolean found, boolean ahead) {
        ReadSet reads = owner.reads();
        if (reads == null) {
            range = null;
            return found;
        }
        range = reads.add(root, key);
        return observed(found, ahead);
    }

    @Override
    public boolean seek(Slice key) {
        owner.beginCall();
        try {
            end = null;
            return begun(key, goTo(key), true);
        } finally {
            owner.endCall();
        }
    }

    @Override
    public boolean seek(Slice key, Slice before) {
        owner.beginCall();
        try {
            end = before;
            return begun(key, goTo(key) && isBeforeEnd(), true);
        } finally {
            owner.endCall();
        }
    }

    /// Whether the current entry is before the end; if not, the cursor becomes unpositioned.
    private boolean isBeforeEnd() {
        return end == null || current.compareKeyTo(end) < 0 || leave();
    }

    @Override
    public boolean seekBefore(Slice key) {
        owner.beginCall();
        try {
            end = null;
            return begun(key, goBefore(key), false);
        } finally {
            owner.endCall();
        }
    }

    private boolean goTo(Slice key) {
        if (!listed) {
            list();
        }
        baseLive = base.seek(key);
        OwnCursor written = written();
        if (written == null) {
            plain();
            return baseLive;
        }
        passHidden(true);
        ownLive = written.seek(key);
        return arrive(written, true);
    }

    private boolean goBefore(Slice key) {
        if (!listed) {
            list();
        }
        baseLive = base.seekBefore(key);
        OwnCursor written = written();
        if (written == null) {
            plain();
            return baseLive;
        }
        passHidden(false);
        ownLive = written.seekBefore(key);
        return arrive(written, false);
    }

    @Override
    public boolean first() {
        owner.beginCall();
        try {
            end = null;
            return begun(NO_KEY, edge(true), true);
        } finally {
            owner.endCall();
        }
    }

    @Override
    public boolean last() {
        owner.beginCall();
        try {
            end = null;
            boolean found = edge(false);
            if (owner.reads() == null) {
                range = null;
                return found;
            }
            if (!found) {
                return begun(NO_KEY, false, true); // nothing at all
            }
            key(seen);
            begun(seen, true, false);
            Objects.requireNonNull(range).extendToEnd();
            return true;
        } finally {
            owner.endCall();
        }
    }

    private boolean edge(boolean ahead) {
        if (!listed) {
            list();
        }
        baseLive = edge(base, ahead);
        OwnCursor written = written();
        if (written == null) {
            plain();
            return baseLive;
        }
        passHidden(ahead);
        ownLive = written.edge(ahead);
        return arrive(written, ahead);
    }

    private static boolean edge(TreeCursor half, boolean first) {
        return first ? half.first() : half.last();
    }

    private static boolean step(TreeCursor half, boolean ahead) {
        return ahead ? half.next() : half.previous();
    }

    /// Moves the base to its next entry that the transaction has not removed.
    private void passHidden(boolean ahead) {
        if (hidden != null) {
            baseLive = hidden.pass(root, base, baseLive, ahead);
        }
    }

    /// A cursor over the entries of this tree above its pages, not yet positioned; null if there are none.
    private @Nullable OwnCursor written() {
        WriteSet writeSet = owner.writeSet();
        if (writeSet != null && !writeSet.has(root)) {
            writeSet = null;
        }
        Deltas deltas = owner.deltas();
        if (writeSet == null && (deltas.isEmpty() || !deltas.has(root))) {
            hidden = null;
            return null;
        }
        hidden = writeSet != null && writeSet.hidden().has(root) ? writeSet.hidden() : null;
        OwnCursor known = own;
        if (known == null) {
            known = new OwnCursor();
            own = known;
        }
        known.reset(owner, writeSet, deltas, root);
        return known;
    }

    /// A step, from a position with a known head of the base.
    private boolean move(boolean ahead) {
        boolean turned = ahead != forward;
        if (current == base) {
            baseLive = step(base, ahead);
        } else if (turned || equal) {
            baseLive = baseLive ? step(base, ahead) : edge(base, ahead);
        }
        if (state == WRITE_SET_CHANGED) {
            return moveInChangedWriteSet(ahead);
        }
        passHidden(ahead);
        OwnCursor mine = own;
        if (mine == null) { // never while MERGED
            return leave();
        }
        if (current != base) {
            ownLive = mine.step(ahead);
            ownKeyKnown = false;
        } else if (turned) {
            ownLive = ownLive ? mine.step(ahead) : mine.edge(ahead);
            ownKeyKnown = false;
        }
        return turned ? arrive(mine, ahead) : settle(mine);
    }

    /// A step in a changed write set; the base has moved on from `savedKey` already.
    private boolean moveInChangedWriteSet(boolean ahead) {
        OwnCursor written = written();
        if (written == null) {
            plain();
            return baseLive;
        }
        passHidden(ahead);
        if (ahead) {
            ownLive = written.seek(savedKey);
            if (ownLive && written.compareKeyTo(savedKey) == 0) {
                ownLive = written.step(true);
            }
        } else {
            ownLive = written.seekBefore(savedKey);
        }
        return arrive(written, ahead);
    }

    /// Both heads have been repositioned for a move in this direction.
    private boolean arrive(OwnCursor mine, boolean ahead) {
        state = MERGED;
        forward = ahead;
        ownKeyKnown = false;
        streak = 0;
        return settle(mine);
    }

    /// Moves to the nearer of the two heads.
    private boolean settle(OwnCursor mine) {
        run = 0;
        while (ownLive) {
            if (end != null && forward && isPast(mine, end)) {
                return leave();
            }
            int order = baseLive ? order(mine) : 1;
            if (order < 0) {
                current = base;
                if (++streak >= STREAK_MIN && hidden == null) {
                    run = forward ? base.entriesAfter(ownKey) : -base.entriesBefore(ownKey);
                }
                return true;
            }
            streak = 0;
            equal = order == 0;
            if (!mine.isAbsent()) {
                current = mine.head();
                return true;
            }
            if (equal) {
                baseLive = step(base, forward);
                passHidden(forward);
            }
            ownLive = mine.step(forward);
            ownKeyKnown = false;
        }
        if (!baseLive) {
            return leave();
        }
        current = base;
        if (hidden == null) {
            run = forward ? base.entriesAfter() : -base.entriesBefore();
        }
        return true;
    }

    /// Whether both heads are at `bound` or beyond it.
    private boolean isPast(OwnCursor mine, Slice bound) {
        return mine.compareKeyTo(bound) >= 0 && (!baseLive || base.compareKeyTo(bound) >= 0);
    }

    /// Negative if the base is nearer, 0 if both have the same key.
    private int order(OwnCursor mine) {
        if (!ownKeyKnown) {
            mine.key(ownKey);
            ownKeyKnown = true;
        }
        int order = base.compareKeyTo(ownKey);
        return forward ? order : -order;
    }

    @Override
    public int keyLength() {
        checkKnown();
        return state == PLAIN ? base.keyLength() : current.keyLength();
    }

    @Override
    public int compareKeyTo(Slice key) {
        checkKnown();
        return state == PLAIN ? base.compareKeyTo(key) : current.compareKeyTo(key);
    }

    @Override
    public boolean keyStartsWith(Slice prefix) {
        checkKnown();
        return state == PLAIN ? base.keyStartsWith(prefix) : current.keyStartsWith(prefix);
    }

    @Override
    public int stepsBelow(Slice bound) {
        checkKnown();
        if (state == PLAIN) {
            return base.entriesAfter(bound);
        }
        return run > 0 ? Math.min(run, base.entriesAfter(bound)) : 0;
    }

    @Override
    public void key(Slice out) {
        checkKnown();
        if (state == PLAIN) {
            base.key(out);
        } else {
            current.key(out);
        }
    }

    @Override
    public void value(Slice out) {
        checkKnown();
        if (state == PLAIN) {
            base.value(out);
        } else {
            current.value(out);
        }
    }

    @Override
    public int valueLength() {
        checkKnown();
        return state == PLAIN ? base.valueLength() : current.valueLength();
    }

    @Override
    public int headBytes() {
        return Page.PART_BYTES;
    }

    @Override
    public void valueHead(Slice out) {
        checkKnown();
        if (state == PLAIN) {
            base.valueHead(out);
        } else {
            current.valueHead(out);
        }
    }

    private void checkKnown() {
        if (state > MERGED) {
            owner.checkOpen();
            throw new UsageException(
                    "The cursor is not on an entry; move it first", "its transaction has written");
        }
    }
}
