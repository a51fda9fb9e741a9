package dev.oriel.compare.pairs;

/// Adds up areas. Changed: two kinds of shapes more are among them, so the compiler cannot inline the call.
public final class Shapes {
    private Shapes() {}

    private interface Shape {
        long area();
    }

    private record Square(long side) implements Shape {
        @Override
        public long area() {
            return side * side;
        }
    }

    private record Bar(long width, long height) implements Shape {
        @Override
        public long area() {
            return width * height;
        }
    }

    private record Frame(long side, long inner) implements Shape {
        @Override
        public long area() {
            return side * side - inner * inner;
        }
    }

    private record Strip(long length) implements Shape {
        @Override
        public long area() {
            return length * 3;
        }
    }

    public static void main(String[] words) {
        int kinds = Work.isChanged(words) ? 4 : 2;
        Shape[] shapes = new Shape[2_000];
        for (int i = 0; i < shapes.length; i++) {
            shapes[i] =
                    switch (i * 7 % 13 % kinds) {
                        case 0 -> new Square(i);
                        case 1 -> new Bar(i, 3);
                        case 2 -> new Frame(i, 2);
                        default -> new Strip(i);
                    };
        }
        Work.run(words, seed -> measure(shapes, seed));
    }

    private static long measure(Shape[] shapes, long seed) {
        return total(shapes) + draw(shapes.length, seed);
    }

    private static long total(Shape[] shapes) {
        long sum = 0;
        for (Shape shape : shapes) {
            sum += shape.area();
        }
        return sum;
    }

    private static long draw(int count, long seed) {
        return Work.steps(seed, 6 * count);
    }
}
