package dev.oriel.bench.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class AgreementTest {
    private final Results first =
            new SampleResults()
                    .rate("jdbm/get", "oriel", 100.0, 104.0, 96.0, 101.0)
                    .rate("jdbm/get", "lmdb", 50.0, 52.0, 48.0, 50.5)
                    .time("cold/first", "oriel", 300.0, 310.0, 290.0, 305.0)
                    .time("cold/first", "h2-disk", 390.0, 400.0, 380.0, 398.0)
                    .build();

    @Test
    void aRunAgreesWithItself() {
        Agreement agreement = new Agreement(first, first);
        assertEquals(4, agreement.figures().size());
        assertEquals(2, agreement.ratios().size());
        assertTrue(agreement.agrees());
        assertTrue(agreement.text().endsWith("The runs agree.\n"), agreement.text());
    }

    @Test
    void aMachineThatBecameSlowerChangesRatesAndNoRatio() {
        Results second =
                new SampleResults()
                        .rate("jdbm/get", "oriel", 70.0, 73.0, 67.5, 71.0)
                        .rate("jdbm/get", "lmdb", 35.0, 36.4, 33.6, 35.4)
                        .time("cold/first", "oriel", 430.0, 440.0, 415.0, 436.0)
                        .time("cold/first", "h2-disk", 557.0, 571.0, 543.0, 569.0)
                        .build();
        Agreement agreement = new Agreement(first, second);
        assertEquals(4, Agreement.different(agreement.figures()).size());
        assertTrue(agreement.agrees(), agreement.text());
    }

    @Test
    void aRatioThatDiffersIsNamed() {
        Results second =
                new SampleResults()
                        .rate("jdbm/get", "oriel", 100.0, 104.0, 96.0, 101.0)
                        .rate("jdbm/get", "lmdb", 98.0, 103.0, 95.0, 99.0)
                        .time("cold/first", "oriel", 300.0, 310.0, 290.0, 305.0)
                        .time("cold/first", "h2-disk", 390.0, 400.0, 380.0, 398.0)
                        .build();
        Agreement agreement = new Agreement(first, second);
        assertFalse(agreement.agrees());
        assertEquals(
                List.of("jdbm/get, oriel to lmdb"),
                Agreement.different(agreement.ratios()).stream()
                        .map(Agreement.Line::name)
                        .toList());
        assertTrue(agreement.text().contains("jdbm/get, oriel to lmdb"), agreement.text());
    }

    @Test
    void whatWasMeasuredOnceSaysNothing() {
        Results once =
                new SampleResults()
                        .rate("jdbm/get", "oriel", 900.0)
                        .rate("jdbm/get", "lmdb", 50.0)
                        .build();
        Agreement agreement = new Agreement(first, once);
        assertTrue(agreement.figures().isEmpty());
        assertTrue(agreement.agrees());
        assertTrue(agreement.text().contains("3 were measured only once"), agreement.text());
    }
}
