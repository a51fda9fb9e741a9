package dev.oriel.table.schema;

import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.Procedure.Mode;
import dev.oriel.table.definition.Procedure.Parameter;
import dev.oriel.table.definition.SqlFunction.Body;
import dev.oriel.table.definition.SqlFunction.Form;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.NativeBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The bytes of a [Procedure], after the header that [CatalogCodec] gives all definitions.
final class ProcedureCodec {
    /// Kind of a definition.
    static final int KIND = 22;

    /// The codes are the places in these lists.
    private static final List<Mode> MODES = List.of(Mode.IN, Mode.INOUT, Mode.OUT);

    private static final List<Form> FORMS = List.of(Form.STRING, Form.RETURN, Form.ATOMIC);

    private ProcedureCodec() {}

    static void put(NativeBuffer out, Procedure procedure) {
        CatalogCodec.putName(out, procedure.name());
        CatalogCodec.putName(out, procedure.schema());
        out.putShort(procedure.parameters().size());
        for (Parameter parameter : procedure.parameters()) {
            CatalogCodec.putName(out, parameter.name());
            out.putByte(MODES.indexOf(parameter.mode()));
            CatalogCodec.putType(out, parameter.type());
            String otherwise = parameter.otherwise();
            out.putByte(otherwise == null ? 0 : 1);
            if (otherwise != null) {
                CatalogCodec.putLongText(out, otherwise);
            }
        }
        out.putShort(procedure.path().size());
        procedure.path().forEach(schema -> CatalogCodec.putName(out, schema));
        out.putByte(FORMS.indexOf(procedure.body().form()));
        CatalogCodec.putLongText(out, procedure.body().text());
    }

    static Procedure procedure(long id, ByteBuffer in) {
        String name = CatalogCodec.name(in);
        String schema = CatalogCodec.name(in);
        int parameterCount = in.getShort() & 0xFFFF;
        List<Parameter> parameters = new ArrayList<>();
        for (int i = 0; i < parameterCount; i++) {
            String called = CatalogCodec.name(in);
            Mode mode = chosen(MODES, in.get());
            Type type = CatalogCodec.type(in);
            boolean filled = in.get() != 0;
            parameters.add(
                    new Parameter(called, mode, type, filled ? CatalogCodec.longText(in) : null));
        }
        int pathCount = in.getShort() & 0xFFFF;
        List<String> path = new ArrayList<>();
        for (int i = 0; i < pathCount; i++) {
            path.add(CatalogCodec.name(in));
        }
        Form form = chosen(FORMS, in.get());
        return new Procedure(
                id, name, schema, parameters, new Body(form, CatalogCodec.longText(in)), path);
    }

    private static <E> E chosen(List<E> values, int code) {
        if (code < 0 || code >= values.size()) {
            throw CatalogCodec.unknown("part of a procedure");
        }
        return values.get(code);
    }
}
