package dev.oriel.profiler;

import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Weaves probes into a class: into the methods and constructors that are watched or included.
///
/// A method that got a probe behaves as before: the same results, exceptions and locks, the same fields and
/// methods to reflection. The probe is a constant of the constant pool ([ProbeLinkage]). So the class gets no new
/// member, and may be woven when it is loaded or later. Abstract and native methods, class initialisers, bridges
/// and synthetic methods are left alone; bodies of lambdas are not.
///
/// The result is verified, and refused if the verifier reports an error. Types are looked up by reading class
/// files, never by loading classes. Confined to one thread; one class each.
final class ProbeWeaver {
    private static final String WATCHED = Watched.class.descriptorString();

    private final AgentOptions options;
    private final Set<String> leftOut;
    private final ClassFile classFile;
    private final ClassModel model;
    private final String className;

    /// @param leftOut methods that get no probe, as `class.method`
    ProbeWeaver(AgentOptions options, Set<String> leftOut, ClassLoader loader, byte[] bytes) {
        this.options = options;
        this.leftOut = leftOut;
        model = ClassFile.of().parse(bytes);
        ClassDesc self = model.thisClass().asSymbol();
        className = model.thisClass().asInternalName().replace('/', '.');
        classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(resolver(self, loader)));
    }

    /// The class with probes, or null if no method wants one.
    ///
    /// @throws IllegalArgumentException if this class cannot be woven
    byte @Nullable [] weave() {
        Map<MethodModel, ProbeName> wanted = wanted();
        if (wanted.isEmpty()) {
            return null;
        }
        if (model.majorVersion() < ClassFile.JAVA_7_VERSION) {
            throw new IllegalArgumentException("its class file is older than Java 7");
        }
        boolean constants = model.majorVersion() >= ClassFile.JAVA_11_VERSION;
        ClassTransform transform =
                (builder, element) -> {
                    ProbeName name = element instanceof MethodModel m ? wanted.get(m) : null;
                    if (name == null) {
                        builder.with(element);
                    } else {
                        MethodModel method = (MethodModel) element;
                        builder.transformMethod(
                                method, ProbeWrap.transform(model, method, name, constants));
                    }
                };
        byte[] woven = classFile.transformClass(model, transform);
        List<VerifyError> errors = classFile.verify(woven);
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException("it would not verify: " + errors.getFirst());
        }
        return woven;
    }

    /// The owner and the method that name a probe.
    record ProbeName(String owner, String method) {}

    private Map<MethodModel, ProbeName> wanted() {
        Map<MethodModel, ProbeName> wanted = new HashMap<>();
        for (MethodModel method : model.methods()) {
            if (method.code().isEmpty() || madeByCompiler(method)) {
                continue;
            }
            String name = method.methodName().stringValue();
            if (leftOut.contains(className + "." + name)) {
                continue;
            }
            Annotation watched = watched(method);
            if (watched != null) {
                ProbeName own =
                        new ProbeName(
                                value(watched, "prefix", className), value(watched, "value", name));
                if (!own.equals(new ProbeName(className, name))) {
                    Probe.rename(className + "." + name, own.owner() + "." + own.method());
                }
                put(method, own, wanted);
            } else if (options.includes(className, name)) {
                put(method, new ProbeName(className, name), wanted);
            }
        }
        return wanted;
    }

    private void put(MethodModel method, ProbeName name, Map<MethodModel, ProbeName> wanted) {
        if (!options.leavesOut(name.owner() + "." + name.method())) {
            wanted.put(method, name);
        }
    }

    private static boolean madeByCompiler(MethodModel method) {
        String name = method.methodName().stringValue();
        return name.equals(ConstantDescs.CLASS_INIT_NAME)
                || method.flags().has(AccessFlag.BRIDGE)
                || (method.flags().has(AccessFlag.SYNTHETIC) && !name.startsWith("lambda$"));
    }

    private static @Nullable Annotation watched(MethodModel method) {
        RuntimeVisibleAnnotationsAttribute attribute =
                method.findAttribute(Attributes.runtimeVisibleAnnotations()).orElse(null);
        if (attribute != null) {
            for (Annotation annotation : attribute.annotations()) {
                if (annotation.className().equalsString(WATCHED)) {
                    return annotation;
                }
            }
        }
        return null;
    }

    private static String value(Annotation annotation, String element, String otherwise) {
        for (AnnotationElement given : annotation.elements()) {
            if (given.name().equalsString(element)
                    && given.value() instanceof AnnotationValue.OfString text
                    && !text.stringValue().isEmpty()) {
                return text.stringValue();
            }
        }
        return otherwise;
    }

    private ClassHierarchyResolver resolver(ClassDesc self, ClassLoader loader) {
        boolean isInterface = model.flags().has(AccessFlag.INTERFACE);
        ClassHierarchyResolver.ClassHierarchyInfo own =
                isInterface
                        ? ClassHierarchyResolver.ClassHierarchyInfo.ofInterface()
                        : ClassHierarchyResolver.ClassHierarchyInfo.ofClass(
                                model.superclass()
                                        .map(superclass -> superclass.asSymbol())
                                        .orElse(ConstantDescs.CD_Object));
        ClassHierarchyResolver read = ClassHierarchyResolver.ofResourceParsing(loader).cached();
        return type -> type.equals(self) ? own : read.getClassInfo(type);
    }
}
