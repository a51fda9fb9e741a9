package dev.oriel.table.schema;

import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.SqlFunction.Body;
import dev.oriel.table.definition.SqlFunction.Effect;
import dev.oriel.table.definition.SqlFunction.Form;
import dev.oriel.table.definition.SqlFunction.Parameter;
import dev.oriel.table.definition.SqlFunction.Result;
import dev.oriel.table.definition.SqlFunction.Traits;
import dev.oriel.table.definition.SqlFunction.Volatility;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.NativeBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The bytes of a [SqlFunction], after the header that [CatalogCodec] gives all definitions.
final class FunctionCodec {
    /// Kind of a definition.
    static final int KIND = 18;

    private static final int SET = 1;
    private static final int STRICT = 2;
    private static final int RUNS = 4;
    private static final int VOID = 8;

    /// The codes are the places in these lists.
    private static final List<Volatility> VOLATILITIES =
            List.of(Volatility.VOLATILE, Volatility.STABLE, Volatility.IMMUTABLE);

    private static final List<Form> FORMS = List.of(Form.STRING, Form.RETURN, Form.ATOMIC);

    private FunctionCodec() {}

    static void put(NativeBuffer out, SqlFunction function) {
        CatalogCodec.putName(out, function.name());
        CatalogCodec.putName(out, function.schema());
        out.putByte(
                (function.returnsSet() ? SET : 0)
                        | (function.traits().strict() ? STRICT : 0)
                        | (function.runs() ? RUNS : 0)
                        | (function.traits().effect() == Effect.VOID ? VOID : 0));
        out.putByte(VOLATILITIES.indexOf(function.traits().volatility()));
        out.putShort(function.parameters().size());
        for (Parameter parameter : function.parameters()) {
            CatalogCodec.putName(out, parameter.name());
            CatalogCodec.putType(out, parameter.type());
            String otherwise = parameter.otherwise();
            out.putByte(otherwise == null ? 0 : 1);
            if (otherwise != null) {
                CatalogCodec.putLongText(out, otherwise);
            }
        }
        out.putShort(function.result().size());
        for (Result column : function.result()) {
            CatalogCodec.putName(out, column.name());
            CatalogCodec.putType(out, column.type());
        }
        out.putShort(function.path().size());
        function.path().forEach(schema -> CatalogCodec.putName(out, schema));
        out.putByte(FORMS.indexOf(function.body().form()));
        CatalogCodec.putLongText(out, function.body().text());
    }

    static SqlFunction function(long id, ByteBuffer in) {
        String name = CatalogCodec.name(in);
        String schema = CatalogCodec.name(in);
        int flags = in.get();
        if (flags < 0 || flags > (SET | STRICT | RUNS | VOID)) {
            throw CatalogCodec.unknown("flags of a function");
        }
        Volatility volatility = chosen(VOLATILITIES, in.get(), "volatility");
        int parameterCount = in.getShort() & 0xFFFF;
        List<Parameter> parameters = new ArrayList<>();
        for (int i = 0; i < parameterCount; i++) {
            String called = CatalogCodec.name(in);
            Type type = CatalogCodec.type(in);
            boolean filled = in.get() != 0;
            parameters.add(new Parameter(called, type, filled ? CatalogCodec.longText(in) : null));
        }
        int columnCount = in.getShort() & 0xFFFF;
        if (columnCount == 0) {
            throw CatalogCodec.unknown("result of a function");
        }
        List<Result> result = new ArrayList<>();
        for (int i = 0; i < columnCount; i++) {
            String called = CatalogCodec.name(in);
            result.add(new Result(called, CatalogCodec.type(in)));
        }
        int pathCount = in.getShort() & 0xFFFF;
        List<String> path = new ArrayList<>();
        for (int i = 0; i < pathCount; i++) {
            path.add(CatalogCodec.name(in));
        }
        Form form = chosen(FORMS, in.get(), "form of a body");
        Body body = new Body(form, CatalogCodec.longText(in));
        return new SqlFunction(
                id,
                name,
                schema,
                parameters,
                result,
                (flags & SET) != 0,
                body,
                new Traits(
                        (flags & STRICT) != 0,
                        volatility,
                        (flags & VOID) != 0
                                ? Effect.VOID
                                : (flags & RUNS) != 0 ? Effect.VALUE : Effect.NONE),
                path);
    }

    private static <E> E chosen(List<E> values, int code, String what) {
        if (code < 0 || code >= values.size()) {
            throw CatalogCodec.unknown(what);
        }
        return values.get(code);
    }
}
