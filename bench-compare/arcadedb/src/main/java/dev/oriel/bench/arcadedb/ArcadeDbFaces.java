package dev.oriel.bench.arcadedb;

import com.arcadedb.database.Database;
import com.arcadedb.database.DatabaseFactory;
import com.arcadedb.database.RID;
import com.arcadedb.schema.DocumentType;
import com.arcadedb.schema.Schema;
import com.arcadedb.schema.Type;
import dev.oriel.bench.Durability;
import dev.oriel.bench.faces.FacesOpening;
import dev.oriel.bench.faces.FacesStore;
import java.nio.file.Path;

/// A document, an edge and an entry in one transaction of ArcadeDB. An entry is a document that an index finds by its
/// key: its Java API has no other.
public final class ArcadeDbFaces implements FacesOpening {
    private static final String PAYMENT = "payment";
    private static final String ENTRY = "entry";
    private static final String HOLDER = "holder";
    private static final String PAID = "paid";

    @Override
    public FacesStore open(Path folder, Durability durability) {
        DatabaseFactory factory = ArcadeDbOpening.factory(folder, durability);
        return new Store(factory, factory.create());
    }

    private static final class Store implements FacesStore {
        private final DatabaseFactory factory;
        private final Database database;
        private final RID[] holders = new RID[HOLDERS];

        Store(DatabaseFactory factory, Database database) {
            this.factory = factory;
            this.database = database;
            Schema schema = database.getSchema();
            DocumentType payment = schema.createDocumentType(PAYMENT);
            payment.createProperty("id", Type.LONG);
            payment.createProperty("amount", Type.LONG);
            payment.createProperty("name", Type.STRING);
            schema.createTypeIndex(Schema.INDEX_TYPE.LSM_TREE, true, PAYMENT, "id");
            DocumentType entry = schema.createDocumentType(ENTRY);
            entry.createProperty("k", Type.LONG);
            entry.createProperty("v", Type.STRING);
            schema.createTypeIndex(Schema.INDEX_TYPE.LSM_TREE, true, ENTRY, "k");
            schema.createVertexType(HOLDER).createProperty("place", Type.LONG);
            schema.createEdgeType(PAID).createProperty("amount", Type.LONG);
            database.begin();
            for (int i = 0; i < HOLDERS; i++) {
                holders[i] = database.newVertex(HOLDER).set("place", (long) i).save().getIdentity();
            }
            database.commit();
        }

        @Override
        public void write(long number) {
            String text = FacesStore.text(number);
            long amount = FacesStore.amount(number);
            database.begin();
            database.newDocument(PAYMENT)
                    .set("id", number)
                    .set("amount", amount)
                    .set("name", text)
                    .save();
            database.lookupByRID(holders[FacesStore.source(number)], true)
                    .asVertex()
                    .newEdge(PAID, holders[FacesStore.target(number)], "amount", amount);
            database.newDocument(ENTRY).set("k", number).set("v", text).save();
            database.commit();
        }

        @Override
        public long count() {
            return database.countType(PAYMENT, false)
                    + database.countType(PAID, false)
                    + database.countType(ENTRY, false);
        }

        @Override
        public void close() {
            database.close();
            factory.close();
        }
    }
}
