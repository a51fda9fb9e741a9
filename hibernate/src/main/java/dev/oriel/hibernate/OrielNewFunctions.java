package dev.oriel.hibernate;

import org.hibernate.dialect.function.CommonFunctionFactory;

/// The functions that HQL has since Hibernate 7: those of JSON, and those that return rows.
final class OrielNewFunctions {
    private OrielNewFunctions() {}

    static void register(CommonFunctionFactory functions) {
        functions.unnest_postgresql(false);
        functions.generateSeries(null, "ordinality", false);
        functions.jsonValue_no_passing();
        functions.jsonQuery_no_passing();
        functions.jsonExists_no_passing();
        functions.jsonObject();
        functions.jsonArray();
        functions.jsonArrayAgg_postgresql(true);
        functions.jsonObjectAgg_postgresql(true);
        functions.jsonSet_postgresql();
        functions.jsonRemove_postgresql();
    }
}
