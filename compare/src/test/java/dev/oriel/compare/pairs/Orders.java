package dev.oriel.compare.pairs;

/// Takes orders through layers. Changed: the service validates too, though the front has done it.
public final class Orders {
    private static boolean changed;

    private Orders() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, seed -> new Front(new Service(new Shelf())).accept(seed));
    }

    private record Front(Service service) {
        long accept(long order) {
            return service.store(order + validate(order));
        }
    }

    private record Service(Shelf shelf) {
        long store(long order) {
            return shelf.put(changed ? order + validate(order) : order);
        }
    }

    private record Shelf() {
        long put(long order) {
            return index(order) + write(order);
        }

        private long index(long order) {
            return Work.steps(order, 30_000);
        }

        private long write(long order) {
            return Work.steps(order, 40_000);
        }
    }

    private static long validate(long order) {
        long sum = order;
        for (int i = 0; i < 10_000; i++) {
            sum = sum * 31 + (sum >>> 11) + i;
        }
        return sum;
    }
}
