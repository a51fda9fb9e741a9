import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Rewrites compiled classes so that lambdas, switches over types and methods of records are linked when they
/// are compiled and not when they are first run: each `invokedynamic` of these kinds becomes a call of a method.
/// A fresh JVM links hundreds of them before the first answers of a database, and each takes many times as long
/// as loading a small class.
///
/// - A lambda becomes a final class of its own, a nestmate of the class that has it, as if it were written as
///   a class. One that captures nothing has a single instance.
/// - A switch over types becomes a static method that compares with `instanceof`.
/// - `equals`, `hashCode` and `toString` of a record become static methods over its fields.
/// - A switch over an enum of ours gets the index of its case from a static method of the class. The compiler
///   makes a class with an array for it, which is then never loaded.
///
/// Other uses of `invokedynamic` remain. Run by the build after the compiler:
/// `java -classpath DEPENDENCIES Desugar.java CLASSES...`.
public final class Desugar {
    private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");
    private static final ClassDesc BUILDER = ClassDesc.of("java.lang.StringBuilder");
    private static final String INFIX = "$Lambda$";

    private final ClassFile files =
            ClassFile.of(ClassFile.ConstantPoolSharingOption.NEW_POOL);
    private final ClassModel host;
    private final Enums enums;
    private final ClassDesc self;
    private final boolean isInterface;
    private final ClassDesc nest;
    private final Map<ClassDesc, byte[]> lambdas = new HashMap<>();

    /// Methods to be added to the host.
    private final List<Added> added = new ArrayList<>();

    private record Added(String name, MethodTypeDesc type, Consumer<CodeBuilder> body) {}

    private Desugar(ClassModel host, Enums enums) {
        this.host = host;
        this.enums = enums;
        this.self = host.thisClass().asSymbol();
        this.isInterface = host.flags().has(AccessFlag.INTERFACE);
        this.nest =
                host.findAttribute(Attributes.nestHost())
                        .map(attribute -> attribute.nestHost().asSymbol())
                        .orElse(self);
    }

    public static void main(String[] folders) throws IOException {
        for (String folder : folders) {
            rewrite(Path.of(folder));
        }
    }

    private static void rewrite(Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            return;
        }
        Map<ClassDesc, List<ClassDesc>> members = new HashMap<>();
        Enums enums = new Enums(root);
        List<Path> classes;
        try (Stream<Path> all = Files.walk(root)) {
            classes = all.filter(file -> file.toString().endsWith(".class")).sorted().toList();
        }
        for (Path file : classes) {
            Desugar desugar = new Desugar(ClassFile.of().parse(Files.readAllBytes(file)), enums);
            if (!desugar.isNeeded()) {
                continue;
            }
            if (desugar.hasCalls()) {
                removeLambdas(file);
            }
            Files.write(file, desugar.rewritten());
            for (Map.Entry<ClassDesc, byte[]> lambda : desugar.lambdas.entrySet()) {
                Files.write(place(root, lambda.getKey()), lambda.getValue());
            }
            members.computeIfAbsent(desugar.nest, nest -> new ArrayList<>())
                    .addAll(desugar.lambdas.keySet());
        }
        for (Map.Entry<ClassDesc, List<ClassDesc>> nest : members.entrySet()) {
            Path file = place(root, nest.getKey());
            Files.write(file, withMembers(Files.readAllBytes(file), nest.getValue()));
        }
    }

    /// Removes the classes of an earlier run: the host has been compiled since.
    private static void removeLambdas(Path host) throws IOException {
        String name = host.getFileName().toString();
        String stem = name.substring(0, name.length() - ".class".length()) + INFIX;
        try (Stream<Path> beside = Files.list(host.getParent())) {
            for (Path file : beside.filter(other -> isLambda(other, stem)).toList()) {
                Files.delete(file);
            }
        }
    }

    private static boolean isLambda(Path file, String stem) {
        String name = file.getFileName().toString();
        return name.startsWith(stem) && name.substring(stem.length()).matches("\\d+\\.class");
    }

    private static Path place(Path root, ClassDesc type) {
        String descriptor = type.descriptorString();
        return root.resolve(descriptor.substring(1, descriptor.length() - 1) + ".class");
    }

    private static byte[] withMembers(byte[] host, List<ClassDesc> more) {
        ClassFile files = ClassFile.of();
        ClassModel model = files.parse(host);
        List<ClassEntry> known =
                model.findAttribute(Attributes.nestMembers())
                        .map(NestMembersAttribute::nestMembers)
                        .orElse(List.of());
        ClassTransform members =
                ClassTransform.dropping(element -> element instanceof NestMembersAttribute)
                        .andThen(ClassTransform.endHandler(builder -> addMembers(builder, known, more)));
        return files.transformClass(model, members);
    }

    private static void addMembers(
            ClassBuilder builder, List<ClassEntry> known, List<ClassDesc> more) {
        List<ClassEntry> members = new ArrayList<>(known);
        more.stream()
                .sorted(Comparator.comparing(ClassDesc::descriptorString))
                .map(builder.constantPool()::classEntry)
                .forEach(members::add);
        builder.with(NestMembersAttribute.of(members.stream().distinct().toList()));
    }

    private boolean isNeeded() {
        return hasCalls() || host.methods().stream().anyMatch(method -> !switches(method).isEmpty());
    }

    private boolean hasCalls() {
        return host.methods().stream()
                .flatMap(method -> method.code().stream())
                .anyMatch(Desugar::hasKnown);
    }

    private static boolean hasKnown(CodeModel code) {
        return code.elementStream()
                .anyMatch(
                        element ->
                                element instanceof InvokeDynamicInstruction call && isKnown(call));
    }

    private static boolean isKnown(InvokeDynamicInstruction call) {
        String bootstrap =
                call.bootstrapMethod().owner().displayName()
                        + "."
                        + call.bootstrapMethod().methodName();
        return switch (bootstrap) {
            case "LambdaMetafactory.metafactory", "ObjectMethods.bootstrap" -> true;
            case "SwitchBootstraps.typeSwitch" ->
                    call.bootstrapArgs().stream().allMatch(label -> label instanceof ClassDesc);
            default -> false;
        };
    }

    private byte[] rewritten() {
        byte[] called =
                ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS)
                        .transformClass(host, this::accept);
        ClassFile files = ClassFile.of();
        return files.transformClass(
                files.parse(called), ClassTransform.endHandler(this::addMethods));
    }

    private void accept(ClassBuilder builder, ClassElement element) {
        if (element instanceof MethodModel method
                && (method.code().filter(Desugar::hasKnown).isPresent()
                        || !switches(method).isEmpty())) {
            List<StackMapFrameInfo> frames =
                    method.code()
                            .flatMap(code -> code.findAttribute(Attributes.stackMapTable()))
                            .map(StackMapTableAttribute::entries)
                            .orElse(List.of());
            builder.transformMethod(method, MethodTransform.transformingCode(new Calls(frames, switches(method))));
        } else {
            builder.with(element);
        }
    }

    /// Replaces the calls of one method, whose stack map frames stay as they are: nothing else changes.
    private final class Calls implements CodeTransform {
        private final List<StackMapFrameInfo> frames;
        private final List<EnumSwitch> switches;
        private int index;

        private Calls(List<StackMapFrameInfo> frames, List<EnumSwitch> switches) {
            this.frames = frames;
            this.switches = switches;
        }

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
            int at = index++;
            for (EnumSwitch each : switches) {
                if (at == each.map) {
                    builder.nop().nop().nop();
                    return;
                }
                if (at == each.ordinal) {
                    MethodTypeDesc type = MethodTypeDesc.of(CD_int, each.of);
                    add(builder, "enumSwitch$", type, body -> enumSwitch(body, each));
                    return;
                }
                if (at == each.load) {
                    builder.nop();
                    return;
                }
            }
            if (element instanceof InvokeDynamicInstruction call && isKnown(call)) {
                replace(builder, call);
                builder.nop()
                        .nop(); // as long as before: offsets hold, those of type annotations too
            } else {
                builder.with(element);
            }
        }

        @Override
        public void atEnd(CodeBuilder builder) {
            if (!frames.isEmpty()) {
                builder.with(StackMapTableAttribute.of(frames));
            }
        }
    }

    private void addMethods(ClassBuilder builder) {
        for (Added method : added) {
            builder.withMethodBody(
                    method.name,
                    method.type,
                    ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
                    method.body);
        }
    }

    private void replace(CodeBuilder builder, InvokeDynamicInstruction call) {
        switch (call.bootstrapMethod().owner().displayName()) {
            case "LambdaMetafactory" -> lambda(builder, call);
            case "SwitchBootstraps" -> {
                List<ClassDesc> labels =
                        call.bootstrapArgs().stream().map(ClassDesc.class::cast).toList();
                add(builder, "typeSwitch$", call.typeSymbol(), body -> typeSwitch(body, labels));
            }
            default -> recordMethod(builder, call);
        }
    }

    private void add(
            CodeBuilder builder, String name, MethodTypeDesc type, Consumer<CodeBuilder> body) {
        String numbered = name + added.size();
        added.add(new Added(numbered, type, body));
        builder.invokestatic(self, numbered, type, isInterface);
    }

    // Switches.

    /// The index of the first of `labels` from that of the second argument on that the first is an instance of.
    private static void typeSwitch(CodeBuilder code, List<ClassDesc> labels) {
        Label present = code.newLabel();
        code.aload(0).ifnonnull(present).iconst_m1().ireturn().labelBinding(present);
        List<Label> tests = new ArrayList<>();
        List<SwitchCase> cases = new ArrayList<>();
        for (int i = 0; i <= labels.size(); i++) {
            tests.add(code.newLabel());
            cases.add(SwitchCase.of(i, tests.get(i)));
        }
        Label none = tests.getLast();
        Label first = tests.getFirst();
        code.iload(1).ifeq(first).iload(1).tableswitch(0, labels.size(), none, cases);
        for (int i = 0; i < labels.size(); i++) {
            code.labelBinding(tests.get(i))
                    .aload(0)
                    .instanceOf(labels.get(i))
                    .ifeq(tests.get(i + 1));
            code.loadConstant(i).ireturn();
        }
        code.labelBinding(none).loadConstant(labels.size()).ireturn();
    }

    // Switches over enums.

    /// A switch over the enum `of`. The other numbers are indexes of elements of its code: where the array is
    /// taken, where the ordinal number, where the element is loaded.
    ///
    /// @param cases index of the case by ordinal number
    private record EnumSwitch(
            ClassDesc of, Map<Integer, Integer> cases, int map, int ordinal, int load) {}

    /// Case indexes by ordinal number, for the enum switches of classes below `root`.
    private static final class Enums {
        private static final String ARRAY = "$SwitchMap$";

        private final Path root;
        private final Map<ClassDesc, ClassModel> classes = new HashMap<>();

        private Enums(Path root) {
            this.root = root;
        }

        /// The case indexes that the array `field` of the compiler's class `owner` holds; empty if they are not
        /// known.
        private Map<Integer, Integer> cases(ClassDesc owner, String field, ClassDesc of) {
            ClassModel maps = model(owner);
            List<String> constants = constants(of);
            if (maps == null || constants.isEmpty()) {
                return Map.of();
            }
            Map<Integer, Integer> cases = new HashMap<>();
            String array = "";
            int ordinal = -1;
            int last = -1;
            for (MethodModel method : maps.methods()) {
                if (!method.methodName().equalsString("<clinit>")) {
                    continue;
                }
                for (CodeElement element : method.code().orElseThrow().elementList()) {
                    switch (element) {
                        case FieldInstruction read when read.opcode() == Opcode.GETSTATIC -> {
                            String name = read.name().stringValue();
                            if (name.startsWith(ARRAY)) {
                                array = name;
                            } else {
                                ordinal = constants.indexOf(name);
                            }
                        }
                        case ConstantInstruction constant ->
                                last = constant.constantValue() instanceof Integer number ? number : -1;
                        case ArrayStoreInstruction _ -> {
                            if (array.equals(field)) {
                                if (ordinal < 0 || last < 0) {
                                    return Map.of();
                                }
                                cases.put(ordinal, last);
                            }
                        }
                        default -> {}
                    }
                }
            }
            return cases;
        }

        /// Names of the constants of an enum in their order; empty if it is none of ours.
        private List<String> constants(ClassDesc of) {
            ClassModel model = of.packageName().startsWith("dev.oriel") ? model(of) : null;
            return model == null
                    ? List.of()
                    : model.fields().stream()
                            .filter(field -> field.flags().has(AccessFlag.ENUM))
                            .map(field -> field.fieldName().stringValue())
                            .toList();
        }

        private ClassModel model(ClassDesc type) {
            return classes.computeIfAbsent(type, this::read);
        }

        private ClassModel read(ClassDesc type) {
            Path file = place(root, type);
            String name = root.relativize(file).toString().replace('\\', '/');
            try (InputStream in =
                    Files.exists(file)
                            ? Files.newInputStream(file)
                            : ClassLoader.getSystemResourceAsStream(name)) {
                return in == null ? null : ClassFile.of().parse(in.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// The switches over enums of ours in `method`.
    private List<EnumSwitch> switches(MethodModel method) {
        CodeModel code = method.code().orElse(null);
        if (code == null) {
            return List.of();
        }
        Set<Label> merged = new HashSet<>();
        code.findAttribute(Attributes.stackMapTable())
                .ifPresent(table -> table.entries().forEach(frame -> merged.add(frame.target())));
        List<EnumSwitch> found = new ArrayList<>();
        Deque<Integer> open = new ArrayDeque<>();
        List<CodeElement> elements = code.elementList();
        for (int i = 0; i + 1 < elements.size(); i++) {
            CodeElement next = elements.get(i + 1);
            switch (elements.get(i)) {
                case FieldInstruction read when isArray(read) -> open.push(i);
                case LabelTarget target when merged.contains(target.label()) ->
                        open.clear(); // the array would be part of a frame
                case InvokeInstruction call
                        when !open.isEmpty()
                                && call.name().equalsString("ordinal")
                                && next instanceof ArrayLoadInstruction -> {
                    int map = open.pop();
                    FieldInstruction read = (FieldInstruction) elements.get(map);
                    ClassDesc of = call.owner().asSymbol();
                    Map<Integer, Integer> cases =
                            enums.cases(
                                    read.owner().asSymbol(), read.name().stringValue(), of);
                    if (!cases.isEmpty()) {
                        found.add(new EnumSwitch(of, cases, map, i, i + 1));
                    }
                }
                default -> {}
            }
        }
        return found;
    }

    private static boolean isArray(FieldInstruction read) {
        return read.opcode() == Opcode.GETSTATIC
                && read.name().stringValue().startsWith(Enums.ARRAY);
    }

    /// The index of the case of the argument; 0 if it has none.
    private static void enumSwitch(CodeBuilder code, EnumSwitch of) {
        Map<Integer, Label> labels = new TreeMap<>();
        of.cases.values().forEach(index -> labels.computeIfAbsent(index, _ -> code.newLabel()));
        List<SwitchCase> cases =
                of.cases.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(each -> SwitchCase.of(each.getKey(), labels.get(each.getValue())))
                        .toList();
        Label none = code.newLabel();
        code.aload(0).invokevirtual(of.of, "ordinal", MethodTypeDesc.of(CD_int));
        code.tableswitch(
                cases.getFirst().caseValue(), cases.getLast().caseValue(), none, cases);
        labels.forEach((index, label) -> code.labelBinding(label).loadConstant(index).ireturn());
        code.labelBinding(none).iconst_0().ireturn();
    }

    // Records.

    private record Field(String name, ClassDesc type) {}

    private void recordMethod(CodeBuilder builder, InvokeDynamicInstruction call) {
        List<Field> fields = new ArrayList<>();
        for (ConstantDesc argument : call.bootstrapArgs()) {
            if (argument instanceof DirectMethodHandleDesc getter) {
                fields.add(new Field(getter.methodName(), getter.invocationType().returnType()));
            }
        }
        String name = call.name().stringValue();
        add(
                builder,
                name + "$",
                call.typeSymbol(),
                code -> {
                    switch (name) {
                        case "equals" -> recordEquals(code, fields);
                        case "hashCode" -> recordHash(code, fields);
                        default -> recordText(code, fields);
                    }
                });
    }

    private void recordEquals(CodeBuilder code, List<Field> fields) {
        Label other = code.newLabel();
        Label different = code.newLabel();
        code.aload(0).aload(1).if_acmpne(other).iconst_1().ireturn().labelBinding(other);
        code.aload(1).instanceOf(self).ifeq(different).aload(1).checkcast(self).astore(2);
        for (Field field : fields) {
            code.aload(0).getfield(self, field.name, field.type);
            code.aload(2).getfield(self, field.name, field.type);
            differ(code, field.type, different);
        }
        code.iconst_1().ireturn().labelBinding(different).iconst_0().ireturn();
    }

    private static void differ(CodeBuilder code, ClassDesc type, Label different) {
        switch (TypeKind.from(type)) {
            case LONG -> code.lcmp().ifne(different);
            case FLOAT, DOUBLE ->
                    code.invokestatic(box(type), "compare", MethodTypeDesc.of(CD_int, type, type))
                            .ifne(different);
            case REFERENCE ->
                    code.invokestatic(
                                    OBJECTS,
                                    "equals",
                                    MethodTypeDesc.of(CD_boolean, CD_Object, CD_Object))
                            .ifeq(different);
            default -> code.if_icmpne(different);
        }
    }

    private void recordHash(CodeBuilder code, List<Field> fields) {
        code.iconst_0();
        for (Field field : fields) {
            code.bipush(31).imul().aload(0).getfield(self, field.name, field.type);
            if (field.type.isPrimitive()) {
                code.invokestatic(
                        box(field.type), "hashCode", MethodTypeDesc.of(CD_int, field.type));
            } else {
                code.invokestatic(OBJECTS, "hashCode", MethodTypeDesc.of(CD_int, CD_Object));
            }
            code.iadd();
        }
        code.ireturn();
    }

    private void recordText(CodeBuilder code, List<Field> fields) {
        code.new_(BUILDER)
                .dup()
                .invokespecial(
                        BUILDER,
                        INIT_NAME,
                        MethodTypeDesc.of(CD_void));
        String name = self.displayName();
        String text = name.substring(name.lastIndexOf('$') + 1) + "[";
        for (Field field : fields) {
            append(code.loadConstant(text + field.name + "="), CD_String);
            code.aload(0).getfield(self, field.name, field.type);
            append(code, field.type);
            text = ", ";
        }
        append(code.loadConstant(fields.isEmpty() ? text + "]" : "]"), CD_String);
        code.invokevirtual(BUILDER, "toString", MethodTypeDesc.of(CD_String)).areturn();
    }

    private static void append(CodeBuilder code, ClassDesc type) {
        ClassDesc taken =
                switch (TypeKind.from(type)) {
                    case REFERENCE -> type.equals(CD_String) ? CD_String : CD_Object;
                    case BYTE, SHORT -> CD_int;
                    default -> type;
                };
        code.invokevirtual(BUILDER, "append", MethodTypeDesc.of(BUILDER, taken));
    }

    // Lambdas.

    private void lambda(CodeBuilder builder, InvokeDynamicInstruction call) {
        String descriptor = self.descriptorString();
        ClassDesc type =
                ClassDesc.ofDescriptor(
                        descriptor.substring(0, descriptor.length() - 1)
                                + INFIX
                                + lambdas.size()
                                + ";");
        MethodTypeDesc factory = call.typeSymbol();
        lambdas.put(type, lambdaClass(type, call));
        if (factory.parameterCount() == 0) {
            builder.getstatic(type, "INSTANCE", type);
        } else {
            builder.invokestatic(type, "of", factory);
        }
    }

    private byte[] lambdaClass(ClassDesc type, InvokeDynamicInstruction call) {
        MethodTypeDesc factory = call.typeSymbol();
        MethodTypeDesc init = factory.changeReturnType(CD_void);
        return files.build(
                type,
                builder -> {
                    builder.withFlags(
                                    ClassFile.ACC_FINAL
                                            | ClassFile.ACC_SUPER
                                            | ClassFile.ACC_SYNTHETIC)
                            .withVersion(host.majorVersion(), host.minorVersion())
                            .withInterfaceSymbols(factory.returnType())
                            .with(NestHostAttribute.of(nest));
                    host.findAttribute(Attributes.sourceFile())
                            .ifPresent(
                                    file ->
                                            builder.with(
                                                    SourceFileAttribute.of(
                                                            file.sourceFile().stringValue())));
                    for (int i = 0; i < factory.parameterCount(); i++) {
                        builder.withField(
                                "c" + i,
                                factory.parameterType(i),
                                ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
                    }
                    builder.withMethodBody(
                            INIT_NAME,
                            init,
                            ClassFile.ACC_PRIVATE,
                            code -> initialize(code, type, factory));
                    made(builder, type, factory, init);
                    builder.withMethodBody(
                            call.name().stringValue(),
                            (MethodTypeDesc) call.bootstrapArgs().get(0),
                            ClassFile.ACC_PUBLIC,
                            code -> callTarget(code, type, call));
                });
    }

    private static void initialize(CodeBuilder code, ClassDesc type, MethodTypeDesc factory) {
        code.aload(0)
                .invokespecial(
                        CD_Object,
                        INIT_NAME,
                        MethodTypeDesc.of(CD_void));
        for (int i = 0; i < factory.parameterCount(); i++) {
            ClassDesc captured = factory.parameterType(i);
            code.aload(0)
                    .loadLocal(TypeKind.from(captured), code.parameterSlot(i))
                    .putfield(type, "c" + i, captured);
        }
        code.return_();
    }

    /// The instance, or how one is made.
    private static void made(
            ClassBuilder builder, ClassDesc type, MethodTypeDesc factory, MethodTypeDesc init) {
        if (factory.parameterCount() == 0) {
            builder.withField("INSTANCE", type, ClassFile.ACC_STATIC | ClassFile.ACC_FINAL);
            builder.withMethodBody(
                    "<clinit>",
                    init,
                    ClassFile.ACC_STATIC,
                    code ->
                            code.new_(type)
                                    .dup()
                                    .invokespecial(type, INIT_NAME, init)
                                    .putstatic(type, "INSTANCE", type)
                                    .return_());
            return;
        }
        builder.withMethodBody(
                "of",
                factory,
                ClassFile.ACC_STATIC,
                code -> {
                    code.new_(type).dup();
                    for (int i = 0; i < factory.parameterCount(); i++) {
                        code.loadLocal(
                                TypeKind.from(factory.parameterType(i)), code.parameterSlot(i));
                    }
                    code.invokespecial(type, INIT_NAME, init).areturn();
                });
    }

    private void callTarget(CodeBuilder code, ClassDesc type, InvokeDynamicInstruction call) {
        MethodTypeDesc sam = (MethodTypeDesc) call.bootstrapArgs().get(0);
        DirectMethodHandleDesc target = (DirectMethodHandleDesc) call.bootstrapArgs().get(1);
        MethodTypeDesc instantiated = (MethodTypeDesc) call.bootstrapArgs().get(2);
        MethodTypeDesc factory = call.typeSymbol();
        boolean isConstructor = target.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR;
        if (isConstructor) {
            code.new_(target.owner()).dup();
        }
        MethodTypeDesc taken = target.invocationType();
        for (int i = 0; i < factory.parameterCount(); i++) {
            code.aload(0).getfield(type, "c" + i, factory.parameterType(i));
        }
        for (int i = 0; i < sam.parameterCount(); i++) {
            ClassDesc given = sam.parameterType(i);
            code.loadLocal(TypeKind.from(given), code.parameterSlot(i));
            convert(
                    code,
                    given,
                    instantiated.parameterType(i),
                    taken.parameterType(factory.parameterCount() + i));
        }
        invoke(code, target);
        giveBack(code, taken.returnType(), sam.returnType());
    }

    private static void invoke(CodeBuilder code, DirectMethodHandleDesc target) {
        MethodTypeDesc type = MethodTypeDesc.ofDescriptor(target.lookupDescriptor());
        ClassDesc owner = target.owner();
        switch (target.kind()) {
            case STATIC, INTERFACE_STATIC ->
                    code.invokestatic(owner, target.methodName(), type, target.isOwnerInterface());
            case CONSTRUCTOR -> code.invokespecial(owner, INIT_NAME, type);
            case VIRTUAL, SPECIAL, INTERFACE_VIRTUAL, INTERFACE_SPECIAL -> {
                if (target.isOwnerInterface()) {
                    code.invokeinterface(owner, target.methodName(), type);
                } else {
                    code.invokevirtual(owner, target.methodName(), type);
                }
            }
            default -> throw new IllegalStateException("Not a method: " + target);
        }
    }

    /// Turns an argument of type `given`, which is known to be an `exact`, into a `taken`.
    private static void convert(
            CodeBuilder code, ClassDesc given, ClassDesc exact, ClassDesc taken) {
        if (given.isPrimitive()) {
            if (taken.isPrimitive()) {
                code.conversion(TypeKind.from(given), TypeKind.from(taken));
            } else {
                box(code, given);
            }
        } else if (taken.isPrimitive()) {
            ClassDesc boxed = unboxed(exact) == null ? box(taken) : exact;
            code.checkcast(boxed);
            unbox(code, boxed, taken);
        } else if (!taken.equals(given) && !taken.equals(CD_Object)) {
            code.checkcast(taken);
        }
    }

    private static void giveBack(CodeBuilder code, ClassDesc given, ClassDesc taken) {
        TypeKind kind = TypeKind.from(taken);
        TypeKind from = TypeKind.from(given);
        if (kind == TypeKind.VOID) {
            if (from != TypeKind.VOID) {
                code.with(
                        from.slotSize() == 2
                                ? StackInstruction.of(Opcode.POP2)
                                : StackInstruction.of(Opcode.POP));
            }
        } else {
            convert(code, given, given, taken);
        }
        code.return_(kind);
    }

    private static void box(CodeBuilder code, ClassDesc primitive) {
        ClassDesc boxed = box(primitive);
        code.invokestatic(boxed, "valueOf", MethodTypeDesc.of(boxed, primitive));
    }

    private static void unbox(CodeBuilder code, ClassDesc boxed, ClassDesc taken) {
        ClassDesc primitive = unboxed(boxed);
        code.invokevirtual(boxed, primitive.displayName() + "Value", MethodTypeDesc.of(primitive));
        code.conversion(TypeKind.from(primitive), TypeKind.from(taken));
    }

    private static ClassDesc box(ClassDesc primitive) {
        return ClassDesc.of(
                "java.lang."
                        + switch (TypeKind.from(primitive)) {
                            case BOOLEAN -> "Boolean";
                            case BYTE -> "Byte";
                            case CHAR -> "Character";
                            case SHORT -> "Short";
                            case INT -> "Integer";
                            case LONG -> "Long";
                            case FLOAT -> "Float";
                            default -> "Double";
                        });
    }

    private static ClassDesc unboxed(ClassDesc type) {
        for (Class<?> primitive :
                List.of(
                        boolean.class,
                        byte.class,
                        char.class,
                        short.class,
                        int.class,
                        long.class,
                        float.class,
                        double.class)) {
            ClassDesc described = primitive.describeConstable().orElseThrow();
            if (box(described).equals(type)) {
                return described;
            }
        }
        return null;
    }
}
