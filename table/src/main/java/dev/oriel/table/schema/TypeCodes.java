package dev.oriel.table.schema;

import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Type;

/// Codes of types and actions in the catalog, which never change.
final class TypeCodes {
    private TypeCodes() {}

    static int code(ForeignKey.Action action) {
        return switch (action) {
            case NO_ACTION -> 0;
            case RESTRICT -> 1;
            case CASCADE -> 2;
            case SET_NULL -> 3;
            case SET_DEFAULT -> 4;
        };
    }

    static ForeignKey.Action action(int code) {
        for (ForeignKey.Action action : ForeignKey.Action.values()) {
            if (code(action) == code) {
                return action;
            }
        }
        throw CatalogCodec.unknown("action of a foreign key");
    }

    static int flag(ForeignKey.Deferral deferral) {
        return switch (deferral) {
            case NOT_DEFERRABLE -> 0;
            case INITIALLY_DEFERRED -> 1;
            case INITIALLY_IMMEDIATE -> 4;
        };
    }

    static ForeignKey.Deferral deferral(int flag) {
        for (ForeignKey.Deferral deferral : ForeignKey.Deferral.values()) {
            if (flag(deferral) == flag) {
                return deferral;
            }
        }
        throw CatalogCodec.unknown("deferral of a foreign key");
    }

    static int code(KeyOrder order) {
        return switch (order) {
            case ASC -> 0;
            case DESC -> 1;
            case ASC_NULLS_FIRST -> 2;
            case DESC_NULLS_LAST -> 3;
        };
    }

    static KeyOrder keyOrder(int code) {
        for (KeyOrder order : KeyOrder.values()) {
            if (code(order) == code) {
                return order;
            }
        }
        throw CatalogCodec.unknown("order of an index");
    }

    static int code(Type.Name name) {
        return switch (name) {
            case BOOLEAN -> 1;
            case TINYINT -> 2;
            case SMALLINT -> 3;
            case INTEGER -> 4;
            case BIGINT -> 5;
            case DECIMAL -> 6;
            case REAL -> 7;
            case DOUBLE -> 8;
            case CHAR -> 9;
            case VARCHAR -> 10;
            case VARCHAR_IGNORECASE -> 29;
            case CLOB -> 11;
            case BINARY -> 12;
            case VARBINARY -> 13;
            case BLOB -> 14;
            case DATE -> 15;
            case TIME -> 16;
            case TIMESTAMP -> 17;
            case TIMESTAMP_TZ -> 18;
            case UUID -> 19;
            case JSON -> 20;
            case ARRAY -> 21;
            case INTERVAL -> 22;
            case ENUM -> UserTypeCodec.ENUM;
            case BIT -> 25;
            case VARBIT -> 26;
            case TIME_TZ -> 28;
            case COMPOSITE -> UserTypeCodec.COMPOSITE;
        };
    }

    static Type.Name typeName(int code) {
        for (Type.Name name : Type.Name.values()) {
            if (code(name) == code) {
                return name;
            }
        }
        throw CatalogCodec.unknown("type");
    }
}
