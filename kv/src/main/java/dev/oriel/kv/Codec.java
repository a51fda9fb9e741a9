package dev.oriel.kv;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.UsageException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;

/// Encoding of values of one Java type as bytes. The flags tell other clients the format of the bytes; they are
/// the Couchbase SDKs' flags.
///
/// @param <T> the Java type
public interface Codec<T> {
    /// Flags of JSON.
    int JSON = 0x0200_0006;

    /// Flags of raw bytes.
    int BYTES = 0x0300_0000;

    /// Flags of text.
    int TEXT = 0x0400_0000;

    /// Flags of a format private to the application.
    int PRIVATE = 0x0100_0000;

    byte[] encode(T value);

    T decode(byte[] bytes);

    /// The flags of the entries written.
    int flags();

    /// Bytes as they are.
    static Codec<byte[]> bytes() {
        return RawBytes.CODEC;
    }

    /// Text as UTF-8.
    static Codec<String> text() {
        return new Codec<>() {
            @Override
            public byte[] encode(String value) {
                return value.getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public String decode(byte[] bytes) {
                return new String(bytes, StandardCharsets.UTF_8);
            }

            @Override
            public int flags() {
                return TEXT;
            }
        };
    }

    /// JSON. Writes maps, lists, records, text, numbers, booleans and null. Reads Map, List, String, Long,
    /// BigDecimal, Boolean, and null inside others. An entry whose whole value is null must be read as bytes.
    static Codec<Object> json() {
        return new Codec<>() {
            @Override
            public byte[] encode(Object value) {
                return JsonWriter.write(value);
            }

            @Override
            public Object decode(byte[] bytes) {
                Object value = JsonReader.read(bytes);
                if (value == null) {
                    throw new UsageException("The value is JSON's null; read it as bytes", "");
                }
                return value;
            }

            @Override
            public int flags() {
                return JSON;
            }
        };
    }

    /// Java serialization of `type`. Reading creates objects of `type`, its superclasses and the classes that
    /// `filter` allows only, for example `java.base/*;com.example.*`.
    static <T extends Serializable> Codec<T> serialized(Class<T> type, String filter) {
        ObjectInputFilter allowed =
                ObjectInputFilter.Config.createFilter(
                        type.getName() + ";" + filter + ";maxdepth=64;!*");
        return new Codec<>() {
            @Override
            public byte[] encode(T value) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                    out.writeObject(value);
                } catch (IOException e) {
                    throw new UsageException(
                            "The object cannot be serialized", "class=" + type.getName(), e);
                }
                return bytes.toByteArray();
            }

            @Override
            public T decode(byte[] bytes) {
                try (ObjectInputStream in =
                        new ObjectInputStream(new ByteArrayInputStream(bytes))) {
                    in.setObjectInputFilter(allowed);
                    return type.cast(in.readObject());
                } catch (IOException | ClassNotFoundException | ClassCastException e) {
                    throw new CorruptionException(
                            "The value is not a serialized object of this class",
                            "class=" + type.getName(),
                            e);
                }
            }

            @Override
            public int flags() {
                return PRIVATE;
            }
        };
    }
}
