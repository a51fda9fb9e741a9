package dev.oriel.table.schema;

import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.UserType;
import dev.oriel.table.value.NativeBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The bytes of user-defined types, after the header that [CatalogCodec] gives all types. Each occurrence of such
/// a type has its whole definition.
final class UserTypeCodec {
    /// Kind of a definition that is in the catalog by itself.
    static final int KIND = 7;

    static final int ENUM = 23;
    static final int DOMAIN = 24;
    static final int COMPOSITE = 27;

    private static final int REQUIRED = 1;
    private static final int FILLED = 2;

    private UserTypeCodec() {}

    /// Whether `code` is that of a type with a definition.
    static boolean isOwn(int code) {
        return code == ENUM || code == DOMAIN || code == COMPOSITE;
    }

    static void putType(NativeBuffer out, UserType type) {
        switch (type) {
            case EnumType labels -> {
                out.putByte(ENUM);
                out.putLong(labels.id());
                CatalogCodec.putName(out, labels.name());
                out.putShort(labels.labels().size());
                for (EnumType.Label label : labels.labels()) {
                    CatalogCodec.putName(out, label.text());
                    out.putLong(label.place());
                }
            }
            case CompositeType composite -> {
                out.putByte(COMPOSITE);
                out.putLong(composite.id());
                CatalogCodec.putName(out, composite.name());
                out.putShort(composite.size());
                for (CompositeType.Attribute attribute : composite.attributes()) {
                    CatalogCodec.putName(out, attribute.name());
                    CatalogCodec.putType(out, attribute.type());
                }
            }
            case DomainType domain -> {
                out.putByte(DOMAIN);
                out.putLong(domain.id());
                CatalogCodec.putName(out, domain.name());
                CatalogCodec.putType(out, domain.base());
                String filling = domain.filling();
                out.putByte((domain.required() ? REQUIRED : 0) | (filling == null ? 0 : FILLED));
                if (filling != null) {
                    CatalogCodec.putLongText(out, filling);
                }
                out.putShort(domain.checks().size());
                for (Check check : domain.checks()) {
                    CatalogCodec.putName(out, check.name());
                    CatalogCodec.putLongText(out, check.expression());
                }
            }
        }
    }

    /// The type whose code has been read.
    static UserType type(int code, ByteBuffer in) {
        long id = in.getLong();
        String name = CatalogCodec.name(in);
        if (code == ENUM) {
            int count = in.getShort() & 0xFFFF;
            List<EnumType.Label> labels = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String text = CatalogCodec.name(in);
                long place = in.getLong();
                if (i > 0 && place <= labels.getLast().place()) {
                    throw CatalogCodec.unknown("order of labels");
                }
                labels.add(new EnumType.Label(text, place));
            }
            return new EnumType(id, name, labels);
        }
        if (code == COMPOSITE) {
            int count = in.getShort() & 0xFFFF;
            List<CompositeType.Attribute> attributes = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String attribute = CatalogCodec.name(in);
                attributes.add(new CompositeType.Attribute(attribute, CatalogCodec.type(in)));
            }
            return new CompositeType(id, name, attributes);
        }
        if (code != DOMAIN) {
            throw CatalogCodec.unknown("kind of type");
        }
        Type base = CatalogCodec.type(in);
        int flags = in.get();
        if (flags < 0 || flags > (REQUIRED | FILLED)) {
            throw CatalogCodec.unknown("flags of a domain");
        }
        String filling = (flags & FILLED) == 0 ? null : CatalogCodec.longText(in);
        int count = in.getShort() & 0xFFFF;
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String check = CatalogCodec.name(in);
            checks.add(new Check(check, CatalogCodec.longText(in)));
        }
        return new DomainType(id, name, base, (flags & REQUIRED) != 0, filling, checks);
    }
}
