package dev.oriel.sql.json;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.json.JsonPath.Node;
import dev.oriel.sql.json.JsonPath.Predicate;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.DateTemplate;
import dev.oriel.sql.value.Decimals;
import dev.oriel.sql.value.Order;
import dev.oriel.sql.value.Regex;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.value.Typing;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonBuilder;
import dev.oriel.table.value.JsonException;
import java.io.Serial;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Evaluates a [JsonPath] on one JSON value.
public final class JsonPathRun {
    /// Limit of the number of items that a path may return.
    private static final int ITEMS_MAX = 10_000_000;

    /// Value of `last` outside of a subscript; in a subscript of an empty array it is -1.
    private static final int OUTSIDE = -2;

    private static final Node NOTHING =
            new JsonPath.Constant(new JsonBuilder().putNull().toBytes());

    private final JsonPath path;
    private final JsonItem root;
    private final Map<String, byte[]> variables;
    private final Place place;

    /// The session by which local times compare with those of a zone; null if none decides.
    private final JsonMoments.@Nullable Here here;

    private JsonPathRun(
            JsonPath path,
            byte[] json,
            Map<String, byte[]> variables,
            JsonMoments.@Nullable Here here,
            Place place) {
        this.path = path;
        this.here = here;
        this.root = JsonItem.of(json);
        this.variables = variables;
        this.place = place;
    }

    /// Error in evaluating a path. Has no stack trace: in a predicate it is no error but unknown.
    public static final class Failure extends RuntimeException {
        @Serial private static final long serialVersionUID = 1L;

        private final Kind kind;

        public Failure(Kind kind, String message) {
            super(message, null, false, false);
            this.kind = kind;
        }

        public SqlException at(Place place) {
            return place.error(kind, String.valueOf(getMessage()));
        }
    }

    /// The items that `path` returns for `json`.
    ///
    /// @param place position of the path, for errors that the data does not cause
    /// @throws Failure if evaluation fails
    public static List<JsonItem> items(
            JsonPath path, byte[] json, Map<String, byte[]> variables, Place place) {
        return items(new JsonPathRun(path, json, variables, null, place));
    }

    /// Like [#items(JsonPath, byte[], Map, Place)]; times without a zone compare with others by `zone`.
    ///
    /// @param now moment of the statement
    public static List<JsonItem> items(
            JsonPath path,
            byte[] json,
            Map<String, byte[]> variables,
            Zone zone,
            long now,
            Place place) {
        JsonMoments.Here here = new JsonMoments.Here(zone, now);
        return items(new JsonPathRun(path, json, variables, here, place));
    }

    private static List<JsonItem> items(JsonPathRun run) {
        try {
            return run.items(run.path.root(), run.root, OUTSIDE);
        } catch (JsonException unfit) {
            throw new Failure(Kind.OUT_OF_RANGE, String.valueOf(unfit.getMessage()));
        }
    }

    /// @param current item that `@` refers to
    /// @param last value of `last`, or [#OUTSIDE]
    private List<JsonItem> items(Node node, JsonItem current, int last) {
        return switch (node) {
            case JsonPath.Root n -> List.of(root);
            case JsonPath.Current n -> List.of(current);
            case JsonPath.Last n -> {
                if (last == OUTSIDE) {
                    throw new Failure(Kind.JSON_PATH, "\"last\" is allowed in brackets only");
                }
                yield List.of(JsonItem.of(BigDecimal.valueOf(last)));
            }
            case JsonPath.Variable n -> {
                byte[] value = variables.get(n.name());
                if (value == null) {
                    throw place.error(
                            Kind.UNKNOWN_OBJECT,
                            "The path uses $" + n.name() + ", which is not passed");
                }
                yield List.of(JsonItem.of(value));
            }
            case JsonPath.Constant n -> List.of(JsonItem.of(n.json()));
            case JsonPath.Member n -> members(n, items(n.base(), current, last));
            case JsonPath.AnyMember n -> anyMember(n, items(n.base(), current, last));
            case JsonPath.Descendants n -> {
                List<JsonItem> found = new ArrayList<>();
                for (JsonItem item : items(n.base(), current, last)) {
                    descend(item, 0, n, found);
                }
                yield found;
            }
            case JsonPath.Elements n -> elements(n, current, last);
            case JsonPath.AnyElement n -> anyElement(n, items(n.base(), current, last));
            case JsonPath.Filter n -> {
                List<JsonItem> found = new ArrayList<>();
                for (JsonItem item : opened(items(n.base(), current, last))) {
                    if (truth(n.condition(), item, last) == 1) {
                        add(found, item);
                    }
                }
                yield found;
            }
            case JsonPath.Method n -> method(n, items(n.base(), current, last));
            case JsonPath.DateTime n -> moments(n, items(n.base(), current, last));
            case JsonPath.Calculation n -> calculated(n, current, last);
            case JsonPath.Signed n -> {
                List<JsonItem> found = new ArrayList<>();
                for (JsonItem item : opened(items(n.operand(), current, last))) {
                    BigDecimal number = number(item, "A sign");
                    found.add(n.minus() ? JsonItem.of(number.negate()) : item);
                }
                yield found;
            }
            case Predicate n -> List.of(JsonItem.of(truth(n, current, last)));
        };
    }

    private static void add(List<JsonItem> found, JsonItem item) {
        Cancellation.pollRunning();
        if (found.size() == ITEMS_MAX) {
            throw new Failure(
                    Kind.OUT_OF_RANGE, "A JSON path finds more than " + ITEMS_MAX + " values");
        }
        found.add(item);
    }

    /// Unwraps arrays into their elements in lax mode.
    private List<JsonItem> opened(List<JsonItem> items) {
        if (path.strict() || items.stream().noneMatch(item -> item.kind() == Json.Kind.ARRAY)) {
            return items;
        }
        List<JsonItem> opened = new ArrayList<>();
        for (JsonItem item : items) {
            if (item.kind() == Json.Kind.ARRAY) {
                open(item, opened);
            } else {
                add(opened, item);
            }
        }
        return opened;
    }

    private static void open(JsonItem array, List<JsonItem> into) {
        int at = Json.first(array.at());
        for (int left = array.count(); left > 0; left--) {
            add(into, array.in(at));
            at = Json.end(array.json(), at);
        }
    }

    /// Whether `step` refuses values of another structure: not behind `**`, which finds all kinds of them.
    private boolean refuses(JsonPath.Node step) {
        return path.strict() && !JsonPath.isBelowDescendants(step);
    }

    private List<JsonItem> members(JsonPath.Member step, List<JsonItem> base) {
        List<JsonItem> found = new ArrayList<>();
        for (JsonItem item : opened(base)) {
            if (item.kind() != Json.Kind.OBJECT) {
                if (refuses(step)) {
                    throw wrongKind("." + step.name() + " needs an object", item);
                }
                continue;
            }
            int at = Json.member(item.json(), item.at(), step.bytes());
            if (at >= 0) {
                add(found, item.in(at));
            } else if (refuses(step)) {
                throw new Failure(
                        Kind.JSON_PATH, "An object has no member \"" + step.name() + "\"");
            }
        }
        return found;
    }

    private List<JsonItem> anyMember(JsonPath.AnyMember step, List<JsonItem> base) {
        List<JsonItem> found = new ArrayList<>();
        for (JsonItem item : opened(base)) {
            if (item.kind() == Json.Kind.OBJECT) {
                openObject(item, found);
            } else if (refuses(step)) {
                throw wrongKind(".* needs an object", item);
            }
        }
        return found;
    }

    private static void openObject(JsonItem object, List<JsonItem> into) {
        int at = Json.first(object.at());
        for (int left = object.count(); left > 0; left--) {
            int value = Json.value(object.json(), at);
            add(into, object.in(value));
            at = Json.end(object.json(), value);
        }
    }

    /// Recursion is bounded: values nest no deeper than [Json#DEPTH_MAX].
    private static void descend(
            JsonItem item, int level, JsonPath.Descendants step, List<JsonItem> found) {
        boolean holds = item.kind() == Json.Kind.ARRAY || item.kind() == Json.Kind.OBJECT;
        boolean lastLevel = step.least() == Integer.MAX_VALUE && !holds;
        if ((level >= step.least() && level <= step.most()) || lastLevel) {
            add(found, item);
        }
        if (!holds || level >= step.most()) {
            return;
        }
        List<JsonItem> below = new ArrayList<>();
        if (item.kind() == Json.Kind.ARRAY) {
            open(item, below);
        } else {
            openObject(item, below);
        }
        for (JsonItem one : below) {
            descend(one, level + 1, step, found);
        }
    }

    private List<JsonItem> anyElement(JsonPath.AnyElement step, List<JsonItem> base) {
        List<JsonItem> found = new ArrayList<>();
        for (JsonItem item : base) {
            if (item.kind() == Json.Kind.ARRAY) {
                open(item, found);
            } else if (refuses(step)) {
                throw wrongKind("[*] needs an array", item);
            } else if (!path.strict()) {
                add(found, item);
            }
        }
        return found;
    }

    private List<JsonItem> elements(JsonPath.Elements step, JsonItem current, int last) {
        List<JsonItem> found = new ArrayList<>();
        for (JsonItem item : items(step.base(), current, last)) {
            boolean array = item.kind() == Json.Kind.ARRAY;
            if (!array && refuses(step)) {
                throw wrongKind("[...] needs an array", item);
            }
            if (!array && path.strict()) {
                continue;
            }
            int count = array ? item.count() : 1;
            for (JsonPath.Range range : step.ranges()) {
                long from = index(range.from(), current, count);
                long to = range.to() == null ? from : index(range.to(), current, count);
                boolean outside = from < 0 || from > to || to >= count;
                if (outside && refuses(step)) {
                    throw new Failure(
                            Kind.JSON_PATH,
                            "An array of " + count + " elements has none at these indexes");
                }
                long first = Math.max(0, from);
                int at = array ? Json.element(item.json(), item.at(), first) : item.at();
                for (long i = first; i <= Math.min(to, count - 1L); i++) {
                    add(found, item.in(at));
                    at = array ? Json.end(item.json(), at) : at;
                }
            }
        }
        return found;
    }

    private long index(Node node, JsonItem current, int count) {
        List<JsonItem> items = items(node, current, count - 1);
        if (items.size() != 1 || items.getFirst().kind() != Json.Kind.NUMBER) {
            throw new Failure(Kind.JSON_PATH, "An index in brackets must be one number");
        }
        BigDecimal index = items.getFirst().number().setScale(0, RoundingMode.DOWN);
        if (index.precision() > 10) {
            throw new Failure(Kind.JSON_PATH, "An index in brackets is out of range");
        }
        return index.longValueExact();
    }

    private List<JsonItem> calculated(JsonPath.Calculation n, JsonItem current, int last) {
        BigDecimal left = operand(n.left(), n.operator(), current, last);
        BigDecimal right = operand(n.right(), n.operator(), current, last);
        boolean divides = n.operator() == '/' || n.operator() == '%';
        if (divides && right.signum() == 0) {
            throw new Failure(Kind.DIVISION_BY_ZERO, "Division by zero");
        }
        BigDecimal result =
                switch (n.operator()) {
                    case '+' -> left.add(right);
                    case '-' -> left.subtract(right);
                    case '*' -> left.multiply(right);
                    case '/' -> Decimals.divide(left, right);
                    default -> left.remainder(right);
                };
        return List.of(JsonItem.of(result));
    }

    private BigDecimal operand(Node node, char operator, JsonItem current, int last) {
        List<JsonItem> items = opened(items(node, current, last));
        if (items.size() != 1) {
            throw new Failure(
                    Kind.SEVERAL_JSON_ITEMS,
                    "\"" + operator + "\" needs one number on each side, found " + items.size());
        }
        return number(items.getFirst(), "\"" + operator + "\"");
    }

    private static BigDecimal number(JsonItem item, String what) {
        if (item.kind() != Json.Kind.NUMBER) {
            throw wrongKind(what + " needs a number", item);
        }
        return item.number();
    }

    private static Failure wrongKind(String message, JsonItem item) {
        return new Failure(
                Kind.JSON_KIND,
                message + ", not a JSON " + item.kind().name().toLowerCase(Locale.ROOT));
    }

    private List<JsonItem> method(JsonPath.Method step, List<JsonItem> base) {
        JsonPath.MethodName name = step.name();
        List<JsonItem> found = new ArrayList<>();
        boolean whole = name == JsonPath.MethodName.TYPE || name == JsonPath.MethodName.SIZE;
        for (JsonItem item : whole ? base : opened(base)) {
            if (name == JsonPath.MethodName.KEYVALUE) {
                keyValues(item, found);
            } else if (name != JsonPath.MethodName.SIZE
                    || item.kind() == Json.Kind.ARRAY
                    || !path.strict()
                    || refuses(step)) {
                add(found, applied(name, item));
            }
        }
        return found;
    }

    private List<JsonItem> moments(JsonPath.DateTime step, List<JsonItem> base) {
        List<JsonItem> found = new ArrayList<>();
        for (JsonItem item : opened(base)) {
            if (!item.isText()) {
                throw new Failure(Kind.JSON_DATE, "datetime() needs a string");
            }
            add(found, JsonItem.of(JsonMoments.read(item.string(), step.template())));
        }
        return found;
    }

    private JsonItem applied(JsonPath.MethodName name, JsonItem item) {
        return switch (name) {
            case TYPE ->
                    JsonItem.of(
                            item.moment() == null
                                    ? item.kind().name().toLowerCase(Locale.ROOT)
                                    : JsonMoments.typeName(item.moment()));
            case SIZE -> {
                boolean array = item.kind() == Json.Kind.ARRAY;
                if (!array && path.strict()) {
                    throw wrongKind("size() needs an array", item);
                }
                yield JsonItem.of(BigDecimal.valueOf(array ? item.count() : 1));
            }
            case DOUBLE -> {
                double value = parsed(item, "double()").doubleValue();
                if (Double.isInfinite(value)) {
                    throw new Failure(Kind.OUT_OF_RANGE, "The number is out of range for double()");
                }
                yield JsonItem.of(new BigDecimal(Double.toString(value)));
            }
            case NUMBER -> JsonItem.of(parsed(item, "number()"));
            case INTEGER -> JsonItem.of(whole(item, Integer.SIZE, "integer()"));
            case BIGINT -> JsonItem.of(whole(item, Long.SIZE, "bigint()"));
            case STRING ->
                    switch (item.kind()) {
                        case STRING -> JsonItem.of(item.string());
                        case NUMBER, BOOLEAN -> JsonItem.of(Json.text(item.json(), item.at()));
                        case NULL, ARRAY, OBJECT ->
                                throw wrongKind("string() needs a single value", item);
                    };
            case BOOLEAN -> truthOf(item);
            case CEILING ->
                    JsonItem.of(number(item, "ceiling()").setScale(0, RoundingMode.CEILING));
            case FLOOR -> JsonItem.of(number(item, "floor()").setScale(0, RoundingMode.FLOOR));
            case ABS -> JsonItem.of(number(item, "abs()").abs());
            case KEYVALUE -> throw new IllegalStateException("keyvalue() makes several");
        };
    }

    /// Converts a number, or a string that holds one.
    private static BigDecimal parsed(JsonItem item, String method) {
        if (!item.isText()) {
            return number(item, method);
        }
        try {
            return TextFormat.parseDecimal(item.string());
        } catch (IllegalArgumentException | ArithmeticException unfit) {
            throw new Failure(
                    Kind.INVALID_VALUE, "'" + item.string() + "' is not a number for " + method);
        }
    }

    private static BigDecimal whole(JsonItem item, int bits, String method) {
        BigDecimal rounded = parsed(item, method).setScale(0, RoundingMode.HALF_UP);
        if (rounded.precision() > 19 || rounded.toBigInteger().bitLength() >= bits) {
            throw new Failure(Kind.OUT_OF_RANGE, "The number is out of range for " + method);
        }
        return rounded;
    }

    private static JsonItem truthOf(JsonItem item) {
        if (item.moment() != null) {
            throw wrongKind("boolean() needs a single value", item);
        }
        return switch (item.kind()) {
            case BOOLEAN -> item;
            case STRING -> {
                try {
                    yield JsonItem.of((int) TextFormat.parseLong(item.string(), Typing.BOOLEAN));
                } catch (IllegalArgumentException unfit) {
                    throw new Failure(
                            Kind.INVALID_VALUE, "'" + item.string() + "' is not a boolean");
                }
            }
            case NUMBER -> JsonItem.of(item.number().signum() == 0 ? 0 : 1);
            case NULL, ARRAY, OBJECT -> throw wrongKind("boolean() needs a single value", item);
        };
    }

    /// An object of `key`, `value` and `id` for each member; the id identifies the object.
    private static void keyValues(JsonItem item, List<JsonItem> found) {
        if (item.kind() != Json.Kind.OBJECT) {
            throw wrongKind("keyvalue() needs an object", item);
        }
        int at = Json.first(item.at());
        for (int left = item.count(); left > 0; left--) {
            int value = Json.value(item.json(), at);
            JsonBuilder builder = new JsonBuilder();
            JsonBuilder.Open object = builder.beginObject();
            object.name("key");
            builder.putString(Json.name(item.json(), at));
            object.name("value");
            builder.putJson(item.json(), value);
            object.name("id");
            builder.putNumber(BigDecimal.valueOf(item.at()));
            object.end();
            add(found, JsonItem.of(builder.toBytes()));
            at = Json.end(item.json(), value);
        }
    }

    /// 1 for true, 0 for false, -1 for unknown.
    private int truth(Predicate predicate, JsonItem current, int last) {
        return switch (predicate) {
            case JsonPath.Logical n -> {
                int decisive = n.and() ? 0 : 1;
                int left = truth(n.left(), current, last);
                if (left == decisive) {
                    yield left;
                }
                int right = truth(n.right(), current, last);
                yield right == decisive ? right : Math.min(left, right);
            }
            case JsonPath.Not n -> {
                int truth = truth(n.operand(), current, last);
                yield truth < 0 ? truth : 1 - truth;
            }
            case JsonPath.IsUnknown n -> truth(n.operand(), current, last) < 0 ? 1 : 0;
            case JsonPath.Exists n -> {
                List<JsonItem> items = attempted(n.path(), current, last);
                yield items == null ? -1 : items.isEmpty() ? 0 : 1;
            }
            case JsonPath.Comparison n ->
                    pairs(n.left(), n.right(), current, last, (a, b) -> compared(n, a, b));
            case JsonPath.StartsWith n ->
                    pairs(
                            n.text(),
                            n.beginning(),
                            current,
                            last,
                            (a, b) ->
                                    bothText(a, b) ? truth(a.string().startsWith(b.string())) : -1);
            case JsonPath.Matches n ->
                    pairs(
                            n.text(),
                            NOTHING,
                            current,
                            last,
                            (a, b) -> a.isText() ? matched(n, a) : -1);
        };
    }

    private int matched(JsonPath.Matches n, JsonItem item) {
        String flags = Regex.ofLines(n.flags());
        Object found = Regex.like(new Object[] {item.string(), n.pattern(), flags}, place);
        return found.equals(1L) ? 1 : 0;
    }

    private static boolean bothText(JsonItem a, JsonItem b) {
        return a.isText() && b.isText();
    }

    private static int truth(boolean value) {
        return value ? 1 : 0;
    }

    private int comparedMoments(
            JsonPath.Comparison n, DateTemplate.Moment a, DateTemplate.Moment b) {
        if (here == null && JsonMoments.needsZone(a, b)) {
            throw place.error(
                    Kind.NOT_SUPPORTED,
                    "The path compares a "
                            + JsonMoments.typeName(a)
                            + " with a "
                            + JsonMoments.typeName(b)
                            + "; functions as JSONB_PATH_QUERY_TZ do so in the session's time zone");
        }
        int order = JsonMoments.compare(a, b, here);
        return order == JsonMoments.INCOMPARABLE ? -1 : truth(n.operator().holds(order));
    }

    /// The items that `node` returns; null if evaluation fails, which makes a predicate unknown.
    private @Nullable List<JsonItem> attempted(Node node, JsonItem current, int last) {
        try {
            return items(node, current, last);
        } catch (Failure nowhere) {
            return null;
        }
    }

    @FunctionalInterface
    private interface Test {
        int of(JsonItem a, JsonItem b);
    }

    /// Whether `test` holds for any pair. In strict mode one unknown pair makes the result unknown.
    private int pairs(Node left, Node right, JsonItem current, int last, Test test) {
        List<JsonItem> first = attempted(left, current, last);
        List<JsonItem> second = first == null ? null : attempted(right, current, last);
        if (first == null || second == null) {
            return -1;
        }
        List<JsonItem> others = opened(second);
        boolean found = false;
        boolean unknown = false;
        for (JsonItem a : opened(first)) {
            for (JsonItem b : others) {
                Cancellation.pollRunning();
                int truth = test.of(a, b);
                found |= truth == 1;
                unknown |= truth < 0;
                if (path.strict() ? unknown : found) {
                    return path.strict() ? -1 : 1;
                }
            }
        }
        return found ? 1 : unknown ? -1 : 0;
    }

    private int compared(JsonPath.Comparison n, JsonItem a, JsonItem b) {
        if (a.moment() != null && b.moment() != null) {
            return comparedMoments(n, a.moment(), b.moment());
        }
        Json.Kind kind = a.kind();
        if (kind != b.kind() || a.moment() != null || b.moment() != null) {
            boolean nulls = kind == Json.Kind.NULL || b.kind() == Json.Kind.NULL;
            return nulls ? truth(n.operator() == Expression.Operator.NOT_EQUAL) : -1;
        }
        int order =
                switch (kind) {
                    case NULL -> 0;
                    case BOOLEAN -> Boolean.compare(a.truth(), b.truth());
                    case NUMBER -> a.number().compareTo(b.number());
                    case STRING -> Order.compare(a.string(), b.string());
                    case ARRAY, OBJECT -> Integer.MIN_VALUE;
                };
        boolean single = kind != Json.Kind.ARRAY && kind != Json.Kind.OBJECT;
        return single ? truth(n.operator().holds(order)) : -1;
    }
}
