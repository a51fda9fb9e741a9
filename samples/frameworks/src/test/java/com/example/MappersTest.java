package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.customizer.BindList;
import org.jdbi.v3.sqlobject.statement.GetGeneratedKeys;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jdbi.v3.sqlobject.transaction.Transaction;
import org.junit.jupiter.api.Test;

class MappersTest {
    public static class Customer {
        public Integer id;
        public String name;
    }

    interface Customers {
        @Insert("INSERT INTO customer (name) VALUES (#{name})")
        @Options(useGeneratedKeys = true, keyProperty = "id", keyColumn = "id")
        int add(Customer customer);

        @Select({"<script>SELECT id, name FROM customer WHERE name IN",
            "<foreach item='n' collection='names' open='(' separator=',' close=')'>#{n}</foreach> ORDER BY name</script>"})
        List<Customer> named(@Param("names") List<String> names);

        @Update("INSERT INTO customer (name) VALUES (#{name}) ON CONFLICT (name) DO NOTHING")
        int addIfNew(String name);
    }

    @Test
    void myBatisMapsRowsAndKeys() throws Exception {
        try (Shop shop = Shop.open("mybatis")) {
            Configuration configuration =
                    new Configuration(
                            new Environment(
                                    "sample", new JdbcTransactionFactory(), new dev.oriel.OrielDataSource(shop.url())));
            configuration.addMapper(Customers.class);
            SqlSessionFactory factory = new SqlSessionFactoryBuilder().build(configuration);
            try (SqlSession session = factory.openSession()) {
                Customers customers = session.getMapper(Customers.class);
                Customer added = new Customer();
                added.name = "Cleo";
                assertEquals(1, customers.add(added));
                assertEquals(3, added.id);
                assertEquals(0, customers.addIfNew("Ann"));
                assertEquals(
                        List.of("Ann", "Cleo"),
                        customers.named(List.of("Cleo", "Ann")).stream().map(each -> each.name).toList());
                assertThrows(PersistenceException.class, () -> customers.add(added));
                session.commit();
            }
            try (SqlSession session = factory.openSession(ExecutorType.BATCH)) {
                for (int i = 0; i < 100; i++) {
                    session.getMapper(Customers.class).addIfNew("c" + i);
                }
                session.commit();
            }
            try (SqlSession session = factory.openSession()) {
                assertEquals(2, session.getMapper(Customers.class).named(List.of("c0", "c99")).size());
            }
        }
    }

    public record Sale(int id, BigDecimal price) {}

    interface Sales {
        @SqlUpdate("INSERT INTO sale (customer, price) VALUES (:customer, :price)")
        @GetGeneratedKeys("id")
        int add(int customer, BigDecimal price);

        @SqlBatch("INSERT INTO sale (customer, price) VALUES (1, :price)")
        @Transaction
        int[] addAll(List<BigDecimal> price);

        @SqlQuery("SELECT id, price FROM sale WHERE id IN (<ids>) ORDER BY id")
        List<Sale> of(@BindList("ids") List<Integer> ids);

        @SqlQuery("SELECT total FROM turnover WHERE name = :name")
        Optional<BigDecimal> total(String name);
    }

    @Test
    void jdbiMapsRowsAndKeys() throws Exception {
        try (Shop shop = Shop.open("jdbi")) {
            Jdbi jdbi =
                    Jdbi.create(shop.url())
                            .installPlugin(new SqlObjectPlugin())
                            .registerRowMapper(Sale.class, ConstructorMapper.of(Sale.class))
                            .registerArrayType(String.class, "varchar");
            Sales sales = jdbi.onDemand(Sales.class);
            assertEquals(4, sales.add(2, new BigDecimal("4.50")));
            assertEquals(2, sales.addAll(List.of(BigDecimal.ONE, BigDecimal.TEN)).length);
            assertEquals(new BigDecimal("20.00"), sales.of(List.of(1, 2)).get(1).price());
            assertEquals(Optional.of(new BigDecimal("10.00")), sales.total("Bob"));
            assertEquals(Optional.empty(), sales.total("Nobody"));
            int changed =
                    jdbi.inTransaction(handle ->
                            handle.createUpdate("UPDATE customer SET tags = :tags WHERE name = 'Bob'")
                                    .bind("tags", new String[] {"x", "y"})
                                    .execute());
            assertEquals(1, changed);
            assertEquals(
                    List.of("x", "y"),
                    jdbi.withHandle(handle ->
                            handle.createQuery("SELECT UNNEST(tags) FROM customer WHERE name = 'Bob'")
                                    .mapTo(String.class)
                                    .list()));
        }
    }
}
