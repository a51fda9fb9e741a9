package dev.oriel;

import dev.oriel.sql.ComputedTable;
import dev.oriel.sql.JavaAggregate;
import dev.oriel.sql.JavaFunction;
import dev.oriel.sql.JavaObjects;
import dev.oriel.sql.RowList;
import dev.oriel.sql.engine.Sql;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Functions, aggregates and tables that are written in Java, by the names that SQL calls.
///
/// ```java
/// db.functions().add("reversed", List.of(String.class), String.class,
///         arguments -> new StringBuilder((String) arguments[0]).reverse().toString());
/// // SELECT reversed(name) FROM city
/// ```
///
/// The classes of arguments and results are boolean, byte, short, int, long, float, double and their boxes,
/// BigDecimal, String, byte[], LocalDate, LocalTime, LocalDateTime, OffsetDateTime, OffsetTime and UUID. If
/// an argument is NULL the function is not called: its result is NULL, and an aggregate skips the row. A function that throws
/// makes its statement fail (38000). Names are compared without regard to case. Each may be used once, and none of
/// SQL's own functions. Any number of threads may call a function at a time.
///
/// Views, defaults, checks and generated columns cannot call them, since the database can be opened without the
/// program that defines them.
public final class Functions {
    private static final String SCHEMA = "java";

    private final Sql sql;

    Functions(Sql sql) {
        this.sql = sql;
    }

    /// Adds a scalar function.
    ///
    /// @param parameters classes of the arguments
    /// @param result class of its result, which may be null for NULL
    /// @param body is given the arguments, none of which is null
    /// @throws dev.oriel.store.UsageException if the name is taken
    /// @throws IllegalArgumentException if there is no type for a class
    public void add(
            String name,
            List<Class<?>> parameters,
            Class<?> result,
            Function<@Nullable Object[], ? extends @Nullable Object> body) {
        sql.add(
                new JavaFunction(
                        name,
                        parameters(parameters),
                        JavaObjects.type(result),
                        arguments -> body.apply(arguments)));
    }

    /// Adds a scalar function: a public static method of a public class.
    ///
    /// @throws dev.oriel.store.UsageException if the name is taken
    /// @throws IllegalArgumentException if it is another kind of method, or there is no type for one of its
    ///     classes
    public void add(String name, Method method) {
        if (!Modifier.isStatic(method.getModifiers())
                || !Modifier.isPublic(method.getModifiers())) {
            throw new IllegalArgumentException(method + " is not a public static method");
        }
        MethodHandle handle;
        try {
            handle =
                    MethodHandles.publicLookup()
                            .unreflect(method)
                            .asSpreader(Object[].class, method.getParameterCount());
        } catch (IllegalAccessException hidden) {
            throw new IllegalArgumentException(method + " cannot be called from here", hidden);
        }
        add(
                name,
                List.of(method.getParameterTypes()),
                method.getReturnType(),
                arguments -> called(handle, arguments));
    }

    private static @Nullable Object called(MethodHandle handle, @Nullable Object[] arguments) {
        try {
            return handle.invoke(arguments);
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new IllegalStateException(failure.toString(), failure);
        }
    }

    /// Adds an aggregate. Each group has a state of its own.
    ///
    /// ```java
    /// db.functions().addAggregate("longest", List.of(String.class), Integer.class, () -> new int[1],
    ///         (state, arguments) -> state[0] = Math.max(state[0], ((String) arguments[0]).length()),
    ///         state -> state[0]);
    /// ```
    ///
    /// @param begin makes the state of a group without rows
    /// @param add takes a row's arguments into the state; none of them is null
    /// @param end the result so far; over a window, rows may be added after that
    /// @throws dev.oriel.store.UsageException if the name is taken
    /// @throws IllegalArgumentException if there is no type for a class
    public <S> void addAggregate(
            String name,
            List<Class<?>> parameters,
            Class<?> result,
            Supplier<S> begin,
            BiConsumer<S, Object[]> add,
            Function<S, ? extends @Nullable Object> end) {
        sql.add(
                new JavaAggregate(
                        name,
                        parameters(parameters),
                        JavaObjects.type(result),
                        () -> state(begin.get(), add, end)));
    }

    private static <S> JavaAggregate.State state(
            S state, BiConsumer<S, Object[]> add, Function<S, ? extends @Nullable Object> end) {
        return new JavaAggregate.State() {
            @Override
            public void add(@Nullable Object[] arguments) {
                add.accept(state, arguments);
            }

            @Override
            public @Nullable Object result() {
                return end.apply(state);
            }
        };
    }

    /// Adds a table function, which is called in FROM: `SELECT * FROM words('a b c')`. Arguments that are
    /// left out at the end are null. Its rows are computed at once, when a statement begins to read it.
    ///
    /// @param columns class of each column by its name, in order
    /// @param rows the rows for the arguments, each with a value or null for every column
    /// @throws dev.oriel.store.UsageException if the name is taken
    /// @throws IllegalArgumentException if there is no type for a class
    public void addTable(
            String name,
            List<Class<?>> parameters,
            Map<String, Class<?>> columns,
            Function<@Nullable Object[], ? extends Iterable<@Nullable Object[]>> rows) {
        List<Column> taken = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            taken.add(new Column("argument" + (i + 1), JavaObjects.type(parameters.get(i)), true));
        }
        Map<String, Class<?>> given = new LinkedHashMap<>(columns);
        List<Column> made = new ArrayList<>();
        given.forEach((column, type) -> made.add(new Column(column, JavaObjects.type(type), true)));
        List<Class<?>> classes = List.copyOf(parameters);
        sql.add(
                ComputedTable.function(
                        SCHEMA,
                        name,
                        taken,
                        made,
                        (reading, list) -> {
                            @Nullable Object[] arguments = arguments(reading.arguments(), classes);
                            for (@Nullable Object[] row : rows.apply(arguments)) {
                                fill(list, made, row);
                            }
                        }));
    }

    private static void fill(RowList list, List<Column> columns, @Nullable Object[] row) {
        if (row.length != columns.size()) {
            throw new IllegalArgumentException(
                    "A row has " + row.length + " values for " + columns.size() + " columns");
        }
        list.begin();
        for (int i = 0; i < row.length; i++) {
            list.object(columns.get(i).type(), row[i]);
        }
    }

    private static @Nullable Object[] arguments(Row row, List<Class<?>> classes) {
        @Nullable Object[] arguments = new @Nullable Object[classes.size()];
        for (int i = 0; i < arguments.length; i++) {
            Type type = JavaObjects.type(classes.get(i));
            arguments[i] = row.isNull(i) ? null : JavaObjects.of(row, i, type);
        }
        return arguments;
    }

    private static List<JavaFunction.Parameter> parameters(List<Class<?>> classes) {
        return classes.stream()
                .map(type -> new JavaFunction.Parameter(JavaObjects.type(type), false))
                .toList();
    }
}
