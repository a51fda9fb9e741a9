package com.example

import org.jetbrains.exposed.dao.IntEntity
import org.jetbrains.exposed.dao.IntEntityClass
import org.jetbrains.exposed.dao.id.EntityID
import org.jetbrains.exposed.dao.id.IntIdTable
import org.jetbrains.exposed.sql.Database
import org.jetbrains.exposed.sql.ReferenceOption
import org.jetbrains.exposed.sql.SchemaUtils
import org.jetbrains.exposed.sql.SortOrder
import org.jetbrains.exposed.sql.SqlExpressionBuilder.eq
import org.jetbrains.exposed.sql.SqlExpressionBuilder.greaterEq
import org.jetbrains.exposed.sql.SqlExpressionBuilder.plus
import org.jetbrains.exposed.sql.batchInsert
import org.jetbrains.exposed.sql.deleteWhere
import org.jetbrains.exposed.sql.insert
import org.jetbrains.exposed.sql.insertAndGetId
import org.jetbrains.exposed.sql.selectAll
import org.jetbrains.exposed.sql.sum
import org.jetbrains.exposed.sql.transactions.transaction
import org.jetbrains.exposed.sql.update
import org.jetbrains.exposed.sql.upsert
import org.jetbrains.exposed.sql.vendors.PostgreSQLDialect
import java.math.BigDecimal
import java.sql.DriverManager

object Customers : IntIdTable("customer") {
    val name = varchar("name", 40).uniqueIndex()
    val tags = array<String>("tags").default(emptyList())
}

object Sales : IntIdTable("sale") {
    val customer = reference("customer", Customers, onDelete = ReferenceOption.CASCADE)
    val article = varchar("article", 40)
    val price = decimal("price", 8, 2).check { it greaterEq BigDecimal.ZERO }
}

object Stock : org.jetbrains.exposed.sql.Table("stock") {
    val article = varchar("article", 40)
    val pieces = integer("pieces")
    override val primaryKey = PrimaryKey(article)
}

class Customer(id: EntityID<Int>) : IntEntity(id) {
    companion object : IntEntityClass<Customer>(Customers)

    var name by Customers.name
    var tags by Customers.tags
    val sales by Sale referrersOn Sales.customer
}

class Sale(id: EntityID<Int>) : IntEntity(id) {
    companion object : IntEntityClass<Sale>(Sales)

    var customer by Customer referencedOn Sales.customer
    var article by Sales.article
    var price by Sales.price
}

fun main() {
    Database.registerDialect("oriel") { PostgreSQLDialect() }
    Database.registerJdbcDriver("jdbc:oriel", "dev.oriel.OrielDriver", "oriel")
    // A database in memory lives as long as a connection to it.
    DriverManager.getConnection("jdbc:oriel:mem:exposed").use {
        val shop = Database.connect("jdbc:oriel:mem:exposed")
        transaction(shop) {
            SchemaUtils.create(Customers, Sales, Stock)
            check(SchemaUtils.statementsRequiredToActualizeScheme(Customers, Sales, Stock).isEmpty())
            val ann = Customers.insertAndGetId { it[name] = "Ann"; it[tags] = listOf("new", "kind") }
            Customer.new { name = "Ben" }
            Sales.batchInsert(listOf("bread" to "2.50", "milk" to "1.20")) { (article, price) ->
                this[Sales.customer] = ann
                this[Sales.article] = article
                this[Sales.price] = BigDecimal(price)
            }
            for (n in 1..3) {
                Stock.upsert(onUpdate = { it[Stock.pieces] = Stock.pieces + 1 }) {
                    it[article] = "bread"
                    it[pieces] = n
                }
            }
        }
        transaction(shop) {
            check(Stock.selectAll().single()[Stock.pieces] == 3)
            val ann = Customer.find { Customers.name eq "Ann" }.forUpdate().single()
            check(ann.tags == listOf("new", "kind"))
            check(ann.sales.map { it.article }.sorted() == listOf("bread", "milk"))
            check(Sales.update({ Sales.article eq "milk" }) { it[price] = BigDecimal("1.30") } == 1)
            check(Sale.all().orderBy(Sales.price to SortOrder.DESC).limit(1).single().article == "bread")
        }
        val broken = runCatching { transaction(shop) { Customers.insert { it[name] = "Ann" } } }
        check(broken.exceptionOrNull()?.message?.contains("A row with this key exists") == true)
        transaction(shop) {
            val total = (Sales innerJoin Customers).select(Customers.name, Sales.price.sum())
                .groupBy(Customers.name).single()
            println("${total[Customers.name]} has paid ${total[Sales.price.sum()]} for ${Sales.selectAll().count()} things")
            check(Customers.deleteWhere { name eq "Ann" } == 1)
            check(Sales.selectAll().empty())
        }
    }
}
