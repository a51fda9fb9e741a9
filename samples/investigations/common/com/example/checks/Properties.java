package com.example.checks;

/// Makes properties of values that are what they should be, all of them.
public final class Properties {
    private Properties() {}

    /// The argument is the number of properties.
    public static void main(String[] words) {
        int properties = words.length == 0 ? 1_500_000 : Integer.parseInt(words[0]);
        long sum = 0;
        for (int i = 0; i < properties; i++) {
            sum += set("age", i % 100).hashCode();
        }
        System.out.println("@oriel check " + sum);
    }

    static Property set(String key, Integer value) {
        return new Property(key, value, Integer.class);
    }
}
