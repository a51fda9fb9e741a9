package dev.oriel.profiler;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import org.jspecify.annotations.Nullable;

/// Wraps the code of one method:
///
/// ```
///         entered = probe.enter()
/// begin:  the code, with probe.exit(entered) before each return
/// end:    athrow handler of begin..end, after the method's own:
///         probe.fail(entered); throw again
/// ```
/// `entered` takes a new local variable after the others. In a constructor the wrapping begins after the call of
/// `super` or `this`, before which no exception may be caught. The cost of their arguments counts for the caller.
/// In a synchronized method the wrapping lies inside the lock, so waiting for the lock counts for the caller, too.
final class ProbeWrap implements CodeTransform {
    private static final ClassDesc PROBE = ClassDesc.of(Probe.class.getName());
    private static final ClassDesc LINKAGE = ClassDesc.of(ProbeLinkage.class.getName());
    private static final MethodTypeDesc ENTER = MethodTypeDesc.of(ConstantDescs.CD_long);
    private static final MethodTypeDesc EXIT =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long);
    private static final DirectMethodHandleDesc CONSTANT =
            ConstantDescs.ofConstantBootstrap(
                    LINKAGE, "constant", PROBE, ConstantDescs.CD_String, ConstantDescs.CD_String);
    private static final DirectMethodHandleDesc CALL_SITE =
            ConstantDescs.ofCallsiteBootstrap(
                    LINKAGE,
                    "callSite",
                    ConstantDescs.CD_CallSite,
                    ConstantDescs.CD_String,
                    ConstantDescs.CD_String);

    private static final int AT_START = -1;

    private final ProbeWeaver.ProbeName name;
    private final boolean constants;
    private final int local;
    private final int constructed;
    private int constructorCalls;
    private @Nullable Label begin;

    private ProbeWrap(ProbeWeaver.ProbeName name, boolean constants, int local, int constructed) {
        this.name = name;
        this.constants = constants;
        this.local = local;
        this.constructed = constructed;
    }

    /// The transform of a method. `constants` tells whether its class file may have dynamic constants.
    ///
    /// @throws IllegalArgumentException if it is a constructor whose call of `super` or `this`
    ///     cannot be identified
    static MethodTransform transform(
            ClassModel owner, MethodModel method, ProbeWeaver.ProbeName name, boolean constants) {
        CodeModel code = method.code().orElseThrow();
        boolean constructor = method.methodName().equalsString(ConstantDescs.INIT_NAME);
        int constructed = constructor ? constructed(owner, code) : AT_START;
        int local = ((CodeAttribute) code).maxLocals();
        return MethodTransform.transformingCode(
                CodeTransform.ofStateful(() -> new ProbeWrap(name, constants, local, constructed)));
    }

    @Override
    public void atStart(CodeBuilder builder) {
        if (constructed == AT_START) {
            enter(builder);
        }
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
        if (begin != null && element instanceof ReturnInstruction) {
            exit(builder, "exit");
        }
        builder.with(element);
        if (begin == null
                && element instanceof InvokeInstruction call
                && callsConstructor(call)
                && constructorCalls++ == constructed) {
            enter(builder);
        }
    }

    @Override
    public void atEnd(CodeBuilder builder) {
        if (begin == null) {
            throw new IllegalArgumentException("a constructor's call of super() was lost");
        }
        Label end = builder.newBoundLabel();
        builder.exceptionCatchAll(begin, end, end);
        exit(builder, "fail");
        builder.athrow();
    }

    private void enter(CodeBuilder builder) {
        probe(builder);
        builder.invokevirtual(PROBE, "enter", ENTER);
        builder.lstore(local);
        begin = builder.newBoundLabel();
    }

    private void exit(CodeBuilder builder, String how) {
        probe(builder);
        builder.lload(local);
        builder.invokevirtual(PROBE, how, EXIT);
    }

    private void probe(CodeBuilder builder) {
        if (constants) {
            builder.loadConstant(
                    DynamicConstantDesc.ofNamed(
                            CONSTANT, "probe", PROBE, name.owner(), name.method()));
        } else {
            builder.invokedynamic(
                    DynamicCallSiteDesc.of(
                            CALL_SITE,
                            "probe",
                            MethodTypeDesc.of(PROBE),
                            name.owner(),
                            name.method()));
        }
    }

    /// Index of the `super` or `this` call: the call of `<init>` without an earlier `new`. Compilers put each `new`
    /// before its call, so counting is enough. If it finds other than exactly one call, the code is not a compiler's.
    private static int constructed(ClassModel owner, CodeModel code) {
        int found = AT_START;
        int calls = 0;
        int open = 0;
        for (CodeElement element : code) {
            if (element instanceof NewObjectInstruction) {
                open++;
            } else if (element instanceof InvokeInstruction call && callsConstructor(call)) {
                if (open > 0) {
                    open--;
                } else if (found == AT_START && ofThisOrSuper(owner, call)) {
                    found = calls;
                } else {
                    throw unclear();
                }
                calls++;
            }
        }
        if (found == AT_START || open != 0) {
            throw unclear();
        }
        return found;
    }

    private static boolean callsConstructor(InvokeInstruction call) {
        return call.opcode() == Opcode.INVOKESPECIAL
                && call.name().equalsString(ConstantDescs.INIT_NAME);
    }

    private static boolean ofThisOrSuper(ClassModel owner, InvokeInstruction call) {
        String target = call.owner().asInternalName();
        return target.equals(owner.thisClass().asInternalName())
                || target.equals(owner.superclass().map(type -> type.asInternalName()).orElse(""));
    }

    private static IllegalArgumentException unclear() {
        return new IllegalArgumentException("a constructor's call of super() is not clear");
    }
}
