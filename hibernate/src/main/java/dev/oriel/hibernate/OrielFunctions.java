package dev.oriel.hibernate;

import org.hibernate.dialect.function.CommonFunctionFactory;

/// The functions of HQL that Oriel's SQL has, under its names.
final class OrielFunctions {
    private OrielFunctions() {}

    static void register(CommonFunctionFactory functions) {
        registerScalars(functions);
        registerAggregates(functions);
        registerArrays(functions);
    }

    @SuppressWarnings("deprecation") // md5, which will be elsewhere
    private static void registerScalars(CommonFunctionFactory functions) {
        functions.cot();
        functions.cbrt();
        functions.degrees();
        functions.radians();
        functions.log10();
        functions.pi();
        functions.reverse();
        functions.space();
        functions.repeat();
        functions.translate();
        functions.soundex();
        functions.initcap();
        functions.md5();
        functions.concat_pipeOperator();
        functions.octetLength();
        functions.ascii();
        functions.position();
        functions.locate_positionSubstring();
        functions.overlay();
        functions.substr();
        functions.lastDay();
        functions.dateTrunc();
        functions.toCharNumberDateTimestamp();
        functions.localtimeLocaltimestamp();
        functions.bitandorxornot_operator();
        functions.bitLength();
        functions.char_chr();
        functions.log();
        functions.sinh();
        functions.cosh();
        functions.tanh();
        functions.trunc_dateTrunc();
    }

    private static void registerAggregates(CommonFunctionFactory functions) {
        functions.median_percentileCont(false);
        functions.stddev();
        functions.stddevPopSamp();
        functions.variance();
        functions.varPopSamp();
        functions.covarPopSamp();
        functions.corr();
        functions.listagg_stringAgg("varchar");
        functions.everyAny_boolAndOr();
        functions.bitAndOr();
        functions.regrLinearRegressionAggregates();
        functions.windowFunctions();
        functions.hypotheticalOrderedSetAggregates();
        functions.inverseDistributionOrderedSetAggregates();
    }

    private static void registerArrays(CommonFunctionFactory functions) {
        functions.array_postgresql();
        functions.arrayAggregate();
        functions.arrayContains_postgresql();
        functions.arrayPosition_postgresql();
        functions.arrayLength_cardinality();
        functions.arrayConcat_postgresql();
        functions.arrayPrepend_postgresql();
        functions.arrayAppend_postgresql();
        functions.arrayGet_bracket();
        functions.arraySet_unnest();
        functions.arrayRemove();
        functions.arraySlice_operator();
        functions.arrayToString_postgresql();
    }
}
