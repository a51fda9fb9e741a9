package dev.oriel.profiler;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Facts about a line from the class files of the profiled program: whether it is in a loop, its calls, and the
/// size of the arrays that it makes. Classes are read, never loaded. A class that is not found is unknown, and the
/// methods answer accordingly. Confined to one thread.
public final class ClassCode {
    private static final Pattern CHECK =
            Pattern.compile(
                    "(check|require|assert|verify|ensure|expect|validate|is?True|log|trace|debug"
                            + "|fine|finer|finest|info|config)[A-Z]?\\w*");
    private static final int CALLS_AFTER = 3;

    /// Beginnings of the names of methods that return something else with each call.
    private static final Pattern ADVANCES =
            Pattern.compile(
                    "(next|read|poll|take|receive|accept|advance|skip|incr|decr|add|put|offer|push|pop"
                            + "|remove|write|random|nano|current|now|await|get(And|Next)).*");

    /// A step of a method: an instruction with its line, and whether it is in a loop.
    ///
    /// @param from number of the first step of the innermost loop around it
    /// @param to number of the step after that loop; 0 if it is in none
    private record Step(Instruction instruction, int line, int from, int to) {
        boolean loop() {
            return to > 0;
        }
    }

    private final ClassLoader loader;
    private final Map<String, Map<String, List<List<Step>>>> classes = new HashMap<>();

    private ClassCode(ClassLoader loader) {
        this.loader = loader;
    }

    /// The classes that a loader finds.
    public static ClassCode of(ClassLoader loader) {
        return new ClassCode(loader);
    }

    /// The classes of this program.
    public static ClassCode ofThisProgram() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return new ClassCode(context == null ? ClassLoader.getSystemClassLoader() : context);
    }

    /// The classes in the given jars and folders, and nothing else.
    ///
    /// @throws IllegalArgumentException if one of them cannot be named by a URL
    public static ClassCode of(List<Path> classPath) {
        URL[] urls = new URL[classPath.size()];
        try {
            for (int i = 0; i < urls.length; i++) {
                urls[i] = classPath.get(i).toUri().toURL();
            }
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("Not a class path: " + classPath, e);
        }
        return new ClassCode(new URLClassLoader(urls, ClassLoader.getPlatformClassLoader()));
    }

    /// Whether the class was found.
    boolean knows(String owner) {
        return !steps(owner).isEmpty();
    }

    /// Whether any of the code of that line is in a loop.
    boolean inLoop(Sample.StackFrame at) {
        return at(at).stream().anyMatch(Step::loop);
    }

    /// The line at which a method calls another in a loop; 0 if it does not, or is unknown.
    int loopThatCalls(String owner, String method, String callee) {
        for (List<Step> code : steps(owner).getOrDefault(method, List.of())) {
            for (Step step : code) {
                if (step.loop()
                        && step.instruction instanceof InvokeInstruction call
                        && call.name().equalsString(callee)) {
                    return step.line;
                }
            }
        }
        return 0;
    }

    /// The line at which a method calls another in a loop, each time with the same arguments and for a result; 0 if it
    /// does not, or that is not certain. The callee writes no field itself.
    int loopThatRepeats(String owner, String method, String calleeOwner, String callee) {
        if (ADVANCES.matcher(callee).matches() || writes(calleeOwner, callee)) {
            return 0;
        }
        for (List<Step> code : steps(owner).getOrDefault(method, List.of())) {
            for (int i = 0; i < code.size(); i++) {
                if (code.get(i).loop()
                        && code.get(i).instruction instanceof InvokeInstruction call
                        && call.name().equalsString(callee)
                        && repeats(code, i, call)) {
                    return code.get(i).line;
                }
            }
        }
        return 0;
    }

    private boolean writes(String owner, String method) {
        List<List<Step>> known = steps(owner).getOrDefault(method, List.of());
        return known.isEmpty()
                || known.stream()
                        .flatMap(List::stream)
                        .anyMatch(step ->
                                step.instruction instanceof ArrayStoreInstruction
                                        || (step.instruction instanceof FieldInstruction field
                                                && (field.opcode() == Opcode.PUTFIELD
                                                        || field.opcode() == Opcode.PUTSTATIC)));
    }

    /// Whether the arguments of a call are constants, or variables and fields that its loop does not write.
    private static boolean repeats(List<Step> code, int at, InvokeInstruction call) {
        MethodTypeDesc type = call.typeSymbol();
        if (type.parameterCount() == 0 || type.returnType().equals(ConstantDescs.CD_void)) {
            return false;
        }
        Step step = code.get(at);
        int left = type.parameterCount() + (call.opcode() == Opcode.INVOKESTATIC ? 0 : 1);
        for (int i = at - 1; left > 0 && i >= step.from; i--) {
            boolean same =
                    switch (code.get(i).instruction) {
                        case ConstantInstruction constant -> true;
                        case LoadInstruction load -> !writes(code, step, load.slot());
                        case FieldInstruction field -> !writes(code, step, field);
                        default -> false;
                    };
            if (!same) {
                return false;
            }
            boolean ofObject =
                    code.get(i).instruction instanceof FieldInstruction field
                            && field.opcode() == Opcode.GETFIELD;
            left -= ofObject ? 0 : 1; // the object comes before
        }
        return left == 0;
    }

    private static boolean writes(List<Step> code, Step of, int slot) {
        return code.subList(of.from, of.to).stream()
                .anyMatch(step ->
                        (step.instruction instanceof StoreInstruction store && store.slot() == slot)
                                || (step.instruction instanceof IncrementInstruction increment
                                        && increment.slot() == slot));
    }

    private static boolean writes(List<Step> code, Step of, FieldInstruction read) {
        return code.subList(of.from, of.to).stream()
                .anyMatch(step ->
                        step.instruction instanceof FieldInstruction field
                                && field.name().equals(read.name())
                                && (field.opcode() == Opcode.PUTFIELD
                                        || field.opcode() == Opcode.PUTSTATIC));
    }

    /// The greatest constant size of an array or buffer made at that line; 0 if there is none.
    int arrayLength(Sample.StackFrame at) {
        int greatest = 0;
        int last = 0;
        for (Step step : at(at)) {
            boolean makes =
                    step.instruction instanceof NewPrimitiveArrayInstruction
                            || (step.instruction instanceof InvokeInstruction call
                                    && call.name().stringValue().startsWith("allocate"));
            if (makes) {
                greatest = Math.max(greatest, last);
            }
            boolean constant =
                    step.instruction instanceof ConstantInstruction push
                            && push.constantValue() instanceof Integer;
            last =
                    constant
                            ? (Integer) ((ConstantInstruction) step.instruction).constantValue()
                            : 0;
        }
        return greatest;
    }

    /// Name of the check or log method that receives a message built at this line; null if none is found.
    @Nullable String checkOfMessage(Sample.StackFrame at) {
        for (List<Step> code : steps(at.owner()).getOrDefault(at.method(), List.of())) {
            for (int i = 0; i < code.size(); i++) {
                if (code.get(i).line == at.line() && makesText(code.get(i).instruction)) {
                    String check = check(code, i);
                    if (check != null) {
                        return check;
                    }
                }
            }
        }
        return null;
    }

    /// First check or log call among the next calls; null if there is none before the text is stored or thrown.
    private static @Nullable String check(List<Step> code, int made) {
        int calls = 0;
        for (int i = made + 1; i < code.size() && calls < CALLS_AFTER; i++) {
            Instruction next = code.get(i).instruction;
            if (next instanceof StoreInstruction || next instanceof ThrowInstruction) {
                return null;
            }
            if (next instanceof InvokeInstruction call) {
                String name = call.name().stringValue();
                if (CHECK.matcher(name).matches()) {
                    return name;
                }
                calls++;
            }
        }
        return null;
    }

    private static boolean makesText(Instruction instruction) {
        if (instruction instanceof InvokeDynamicInstruction call) {
            return call.name().stringValue().startsWith("makeConcat");
        }
        if (instruction instanceof InvokeInstruction call) {
            String name = call.owner().asInternalName() + "." + call.name().stringValue();
            return name.equals("java/lang/String.format")
                    || name.equals("java/lang/String.formatted")
                    || name.equals("java/lang/StringBuilder.toString")
                    || name.equals("java/text/MessageFormat.format")
                    || name.equals("java/lang/String.join");
        }
        return false;
    }

    private List<Step> at(Sample.StackFrame frame) {
        List<Step> found = new ArrayList<>();
        for (List<Step> code : steps(frame.owner()).getOrDefault(frame.method(), List.of())) {
            for (Step step : code) {
                if (step.line == frame.line()) {
                    found.add(step);
                }
            }
        }
        return found;
    }

    private Map<String, List<List<Step>>> steps(String owner) {
        return classes.computeIfAbsent(owner, this::read);
    }

    private Map<String, List<List<Step>>> read(String owner) {
        Map<String, List<List<Step>>> methods = new HashMap<>();
        try (InputStream in = loader.getResourceAsStream(owner.replace('.', '/') + ".class")) {
            if (in == null) {
                return methods;
            }
            ClassModel model = ClassFile.of().parse(in.readAllBytes());
            for (MethodModel method : model.methods()) {
                method.code()
                        .ifPresent(code ->
                                methods.computeIfAbsent(
                                                method.methodName().stringValue(),
                                                n -> new ArrayList<>())
                                        .add(steps(code)));
            }
        } catch (IOException | IllegalArgumentException e) {
            // A class that cannot be read counts as unknown: the advice is less certain.
            return new HashMap<>();
        }
        return methods;
    }

    private static List<Step> steps(CodeModel code) {
        List<CodeElement> elements = code.elementList();
        Map<Label, Integer> labels = new HashMap<>();
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof LabelTarget target) {
                labels.put(target.label(), i);
            }
        }
        // The numbers of the steps that begin at each element.
        int[] stepAt = new int[elements.size() + 1];
        for (int i = 0; i < elements.size(); i++) {
            stepAt[i + 1] = stepAt[i] + (elements.get(i) instanceof Instruction ? 1 : 0);
        }
        int[] from = new int[elements.size()];
        int[] to = new int[elements.size()];
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof BranchInstruction branch) {
                int target = labels.getOrDefault(branch.target(), i);
                for (int j = target; j < i; j++) {
                    boolean smaller = stepAt[i + 1] - stepAt[target] < to[j] - from[j];
                    if (to[j] == 0 || smaller) {
                        from[j] = stepAt[target];
                        to[j] = stepAt[i + 1];
                    }
                }
            }
        }
        List<Step> steps = new ArrayList<>();
        int line = 0;
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof LineNumber number) {
                line = number.line();
            } else if (elements.get(i) instanceof Instruction instruction) {
                steps.add(new Step(instruction, line, from[i], to[i]));
            }
        }
        return steps;
    }
}
