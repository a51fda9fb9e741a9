package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.fixture.Shop;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Woven classes behave as before, and their calls are recorded.
class ProbeTransformerTest {
    private static final String SHOP = Shop.class.getName();
    private static final String SHOP_FILE = SHOP.replace('.', '/');

    private final List<String> complaints = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "watched",
                "renamed",
                "caught",
                "finally",
                "synchronized",
                "synchronized block",
                "lambda",
                "wide",
                "loop",
                "switch",
                "interface",
                "new",
                "new this",
                "new branch",
                "new late",
                "held"
            })
    void wovenMethodsReturnWhatTheyDid(String what) throws Exception {
        Function<String, Object> shop = woven("include=dev.oriel.profiler.fixture.**");
        assertEquals(new Shop().apply(what), shop.apply(what));
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        assertEquals(new Shop().apply(what), shop.apply(what));
        ProfileResult result = profile.stop();
        assertEquals(List.of(), complaints);
        assertEquals(0, result.openCalls());
        assertEquals(SHOP + ".apply", result.roots().getFirst().name());
    }

    @ParameterizedTest
    @ValueSource(strings = {"throws", "npe", "implicit npe", "new fails"})
    void wovenMethodsThrowWhatTheyDid(String what) throws Exception {
        Function<String, Object> shop = woven("include=dev.oriel.profiler.fixture.**");
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        Exception plain = assertThrows(Exception.class, () -> new Shop().apply(what));
        Exception thrown = assertThrows(Exception.class, () -> shop.apply(what));
        ProfileResult result = profile.stop();
        assertEquals(plain.toString(), thrown.toString());
        assertEquals(0, result.openCalls());
        assertEquals(List.of(), complaints);
        CallNode apply = result.roots().getFirst();
        assertFalse(apply.children().isEmpty());
        assertTrue(apply.children().getFirst().maxNanos() > 0);
    }

    @Test
    void everyCallIsCountedByItsName() throws Exception {
        Function<String, Object> shop = woven("include=dev.oriel.profiler.fixture.**");
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        for (String what : List.of("npe", "caught", "lambda", "new this", "renamed", "watched")) {
            try {
                assertNotNull(shop.apply(what));
            } catch (NullPointerException e) {
                assertEquals("npe", what);
            }
        }
        TreeMap<String, Long> calls = new TreeMap<>();
        for (MethodCost cost : profile.stop().methods()) {
            calls.put(cost.name().replace(SHOP, "Shop"), cost.calls());
        }
        assertEquals(
                "{Shop$Item.<init>=1, Shop$Line.<init>=2, Shop$Line.text=1, Shop.apply=6,"
                        + " Shop.calleeOfNothing=1, Shop.caught=1, Shop.implicit=1, Shop.lambda=1,"
                        + " Shop.lambda$lambda$0=3, Shop.throwing=1, Shop.watched=1, till.sell=1}",
                calls.toString());
    }

    @Test
    void watchedMethodsNeedNoPattern() throws Exception {
        Function<String, Object> shop = woven("");
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        assertNotNull(shop.apply("plain"));
        assertNotNull(shop.apply("watched"));
        assertNotNull(shop.apply("renamed"));
        assertEquals(
                List.of(SHOP + ".watched", "till.sell"),
                profile.stop().methods().stream().map(MethodCost::name).sorted().toList());
    }

    @Test
    void excludedMethodsAreLeftAlone() throws Exception {
        Function<String, Object> shop =
                woven("include=" + SHOP + "::*l*,other.**;exclude=**::plain,**::lambda*");
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        for (String what : List.of("plain", "lambda", "loop", "synchronized", "switch")) {
            assertNotNull(shop.apply(what));
        }
        assertEquals(
                List.of(SHOP + ".apply", SHOP + ".locked", SHOP + ".loop"),
                profile.stop().methods().stream().map(MethodCost::name).sorted().toList());
    }

    @Test
    void classesWithoutWantedMethodsAreNotTouched() throws Exception {
        ProbeTransformer transformer = transformer("include=com.acme.**");
        ClassLoader loader = getClass().getClassLoader();
        byte[] bytes = bytes("Shop$Late.class");
        assertNull(transformer.transform(null, loader, SHOP_FILE + "$Late", null, null, bytes));
        assertEquals(List.of(), complaints);
    }

    @Test
    void classesOfTheJdkAndOfTheProfilerAreNotTouched() throws Exception {
        ProbeTransformer transformer = transformer("include=**");
        ClassLoader loader = getClass().getClassLoader();
        byte[] bytes = bytes("Shop.class");
        assertNull(transformer.transform(null, null, "java/util/Shop", null, null, bytes));
        ClassLoader platform = ClassLoader.getPlatformClassLoader();
        assertNull(transformer.transform(null, platform, "java/sql/Shop", null, null, bytes));
        String probe = "dev/oriel/profiler/Probe";
        assertNull(transformer.transform(null, loader, probe, null, null, bytes));
        assertNotNull(transformer.transform(null, loader, SHOP_FILE, null, null, bytes));
        assertEquals(List.of(), complaints);
    }

    @Test
    void loaderThatDoesNotSeeTheProbeIsNamedOnce() throws Exception {
        ProbeTransformer transformer = transformer("");
        ClassLoader blind =
                new ClassLoader("blind", null) {
                    @Override
                    public InputStream getResourceAsStream(String name) {
                        return ProbeTransformerTest.class
                                .getClassLoader()
                                .getResourceAsStream(name);
                    }
                };
        assertNull(transformer.transform(null, blind, SHOP_FILE, null, null, bytes("Shop.class")));
        assertNull(transformer.transform(null, blind, SHOP_FILE, null, null, bytes("Shop.class")));
        assertEquals(1, complaints.size());
        assertTrue(complaints.getFirst().contains("blind"), complaints.getFirst());
    }

    @Test
    void classThatCannotBeWovenIsLeftAloneAndNamed() {
        ProbeTransformer transformer = transformer("include=x.**");
        ClassLoader loader = getClass().getClassLoader();
        assertNull(transformer.transform(null, loader, "x/Broken", null, null, new byte[40]));
        byte[] huge = huge();
        assertNull(transformer.transform(null, loader, "x/Huge", null, null, huge));
        assertEquals(2, complaints.size());
        assertTrue(complaints.getFirst().startsWith("No probes in x.Broken: "), "" + complaints);
        assertTrue(complaints.getLast().startsWith("No probes in x.Huge: "), "" + complaints);
    }

    @Test
    void classFilesFromBeforeDynamicConstantsAreWovenToo() throws Exception {
        ClassDesc old = ClassDesc.of("x.Old");
        byte[] bytes =
                ClassFile.of()
                        .build(
                                old,
                                type ->
                                        type.withVersion(ClassFile.JAVA_8_VERSION, 0)
                                                .withMethodBody(
                                                        "answer",
                                                        MethodTypeDesc.of(ConstantDescs.CD_int),
                                                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                                                        code -> code.bipush(42).ireturn()));
        byte[] woven =
                transformer("include=x.**")
                        .transform(null, getClass().getClassLoader(), "x/Old", null, null, bytes);
        assertEquals(List.of(), complaints);
        assertNotNull(woven);
        Class<?> type =
                new ClassLoader(getClass().getClassLoader()) {
                    Class<?> define(byte[] code) {
                        return defineClass("x.Old", code, 0, code.length);
                    }
                }.define(woven);
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        assertEquals(42, type.getMethod("answer").invoke(null));
        assertEquals("x.Old.answer", profile.stop().roots().getFirst().name());
    }

    @Test
    void membersStayWhatTheyWere() throws Exception {
        Object shop = woven("include=dev.oriel.profiler.fixture.**");
        assertEquals(
                Shop.class.getDeclaredMethods().length,
                shop.getClass().getDeclaredMethods().length);
        assertEquals(
                Shop.class.getDeclaredFields().length, shop.getClass().getDeclaredFields().length);
        assertFalse(shop.getClass().equals(Shop.class));
    }

    /// A watched method is left out by the name that it has in reports.
    @Test
    void watchedMethodCanBeLeftOut() throws Exception {
        Function<String, Object> shop =
                woven("include=dev.oriel.profiler.fixture.**;without=till.sell");
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        assertEquals("renamed", shop.apply("renamed"));
        assertEquals("watched", shop.apply("watched"));
        CallNode apply = profile.stop().roots().getFirst();
        assertEquals(
                List.of(SHOP + ".watched"), apply.children().stream().map(CallNode::name).toList());
    }

    private ProbeTransformer transformer(String options) {
        return new ProbeTransformer(AgentOptions.parse(options), null, complaints::add);
    }

    @SuppressWarnings("unchecked")
    private Function<String, Object> woven(String options) throws ReflectiveOperationException {
        WovenLoader loader = new WovenLoader(transformer(options));
        Object shop = loader.loadClass(SHOP).getConstructor().newInstance();
        assertTrue(loader.grown().containsKey(SHOP), loader.grown().toString());
        return (Function<String, Object>) shop;
    }

    private static byte[] bytes(String file) throws IOException {
        try (InputStream in = Shop.class.getResourceAsStream(file)) {
            return in == null ? new byte[0] : in.readAllBytes();
        }
    }

    /// A class with a method as long as a method may be.
    private static byte[] huge() {
        return ClassFile.of()
                .build(
                        ClassDesc.of("x.Huge"),
                        type ->
                                type.withMethodBody(
                                        "huge",
                                        MethodTypeDesc.of(ConstantDescs.CD_void),
                                        ClassFile.ACC_STATIC,
                                        code -> {
                                            for (int i = 0; i < 65_530; i++) {
                                                code.nop();
                                            }
                                            code.return_();
                                        }));
    }
}
