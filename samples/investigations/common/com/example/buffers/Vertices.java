package com.example.buffers;

import java.util.Arrays;

/// Writes vertices with three properties each, every property as bytes of its own.
public final class Vertices {
    private Vertices() {}

    /// The argument is the number of vertices.
    public static void main(String[] words) {
        int vertices = words.length == 0 ? 400_000 : Integer.parseInt(words[0]);
        long sum = 0;
        for (int i = 0; i < vertices; i++) {
            sum += write("p-" + i, "Hongkong", 18 + i % 80);
        }
        System.out.println("@oriel check " + sum);
    }

    static long write(String name, String city, int age) {
        return Arrays.hashCode(PropertyCodec.encode(name))
                + Arrays.hashCode(PropertyCodec.encode(city))
                + Arrays.hashCode(PropertyCodec.encode(age));
    }
}
