package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class AgentOptionsTest {
    @Test
    void starsStopAtDotsAndDoubleStarsDoNot() {
        assertTrue(MethodPattern.parse("com.acme.**").matchesClass("com.acme.a.B"));
        assertTrue(MethodPattern.parse("com.acme.*").matchesClass("com.acme.B$C"));
        assertFalse(MethodPattern.parse("com.acme.*").matchesClass("com.acme.a.B"));
        assertFalse(MethodPattern.parse("com.acme.*").matchesClass("comxacme.B"));
        assertTrue(MethodPattern.parse("a.B::get*").matches("a.B", "getName"));
        assertFalse(MethodPattern.parse("a.B::get*").matches("a.B", "name"));
        assertFalse(MethodPattern.parse("a.B").matchesClass("a.BC"));
    }

    @Test
    void optionsAreSplitAtSemicolons() {
        AgentOptions options =
                AgentOptions.parse("include=a.**, b.*;exclude=a.C::*;report=out/run.html");
        assertTrue(options.includes("a.B", "m"));
        assertTrue(options.includes("b.B", "m"));
        assertFalse(options.includes("a.C", "m"));
        assertTrue(options.mayInclude("a.C"));
        assertEquals(Path.of("out/run.html"), options.report());
    }

    @Test
    void nothingIsIncludedWithoutOptions() {
        assertFalse(AgentOptions.parse(null).mayInclude("a.B"));
        assertFalse(AgentOptions.parse("").mayInclude("a.B"));
    }

    @Test
    void unknownOptionNamesTheKnownOnes() {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> AgentOptions.parse("in=a"));
        assertTrue(refused.toString().contains("include=PATTERNS"), refused.toString());
        assertThrows(IllegalArgumentException.class, () -> AgentOptions.parse("include=::x"));
    }

    @Test
    void methodsAreLeftOutByTheirNamesInReports() {
        AgentOptions options = AgentOptions.parse("include=a.**;without=tx.commit,a.B.one*two");
        assertTrue(options.leavesOut("tx.commit"));
        assertTrue(options.leavesOut("a.B.one,two"));
        assertFalse(options.leavesOut("tx.commits"));
        assertFalse(AgentOptions.parse("include=a.**").leavesOut("tx.commit"));
    }
}
