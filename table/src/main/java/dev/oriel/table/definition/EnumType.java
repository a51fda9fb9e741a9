package dev.oriel.table.definition;

import dev.oriel.store.CorruptionException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An enumeration: labels in an order. A value is the place of its label, a number, so values compare in the order
/// of the labels. Places are far apart; a label added between two others gets the middle one, and no place ever
/// changes.
///
/// @param id stable number, of the numbers of tables
/// @param labels in the order of their places
public record EnumType(long id, String name, List<Label> labels) implements UserType {
    private static final long DISTANCE = 1L << 32;

    /// A label and its place.
    public record Label(String text, long place) {}

    public EnumType {
        labels = List.copyOf(labels);
    }

    /// An enumeration of `texts`, without a number yet.
    public static EnumType of(String name, List<String> texts) {
        List<Label> labels = new ArrayList<>();
        for (String text : texts) {
            labels.add(new Label(text, labels.size() * DISTANCE));
        }
        return new EnumType(0, name, labels);
    }

    @Override
    public EnumType withId(long other) {
        return new EnumType(other, name, labels);
    }

    @Override
    public EnumType withName(String other) {
        return new EnumType(id, other, labels);
    }

    /// This type with another label before the label of index `at`; null if there is no place left.
    public @Nullable EnumType with(String text, int at) {
        long place;
        if (labels.isEmpty()) {
            place = 0;
        } else if (at == labels.size()) {
            place = labels.getLast().place() + DISTANCE;
        } else if (at == 0) {
            place = labels.getFirst().place() - DISTANCE;
        } else {
            long before = labels.get(at - 1).place();
            long after = labels.get(at).place();
            place = before + (after - before) / 2;
            if (place == before) {
                return null;
            }
        }
        List<Label> more = new ArrayList<>(labels);
        more.add(at, new Label(text, place));
        return new EnumType(id, name, more);
    }

    /// This type with another text for the label of index `at`.
    public EnumType renamed(int at, String text) {
        List<Label> changed = new ArrayList<>(labels);
        changed.set(at, new Label(text, labels.get(at).place()));
        return new EnumType(id, name, changed);
    }

    /// Index of the label `text`, or -1.
    public int indexOf(String text) {
        for (int i = 0; i < labels.size(); i++) {
            if (labels.get(i).text().equals(text)) {
                return i;
            }
        }
        return -1;
    }

    /// Whether a label has this place.
    public boolean has(long place) {
        return find(place) >= 0;
    }

    /// The label at `place`.
    ///
    /// @throws CorruptionException if there is none
    public String at(long place) {
        int found = find(place);
        if (found < 0) {
            throw new CorruptionException(
                    "A value of an enumeration has no label; run check",
                    "type=" + name + " place=" + place);
        }
        return labels.get(found).text();
    }

    private int find(long place) {
        int low = 0;
        int high = labels.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long other = labels.get(middle).place();
            if (other == place) {
                return middle;
            }
            if (other < place) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EnumType type && type.id == id && type.name.equals(name);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id);
    }
}
