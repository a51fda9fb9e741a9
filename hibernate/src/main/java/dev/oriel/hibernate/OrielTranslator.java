package dev.oriel.hibernate;

import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.StandardSqlAstTranslator;
import org.hibernate.sql.ast.spi.StandardSqlAstTranslatorFactory;
import org.hibernate.sql.ast.tree.Statement;
import org.hibernate.sql.ast.tree.predicate.InArrayPredicate;
import org.hibernate.sql.exec.spi.JdbcOperation;

/// Writes Hibernate's statements as SQL: the standard's, but for conditions on arrays.
final class OrielTranslator<T extends JdbcOperation> extends StandardSqlAstTranslator<T> {
    private OrielTranslator(SessionFactoryImplementor factory, Statement statement) {
        super(factory, statement);
    }

    /// Keys of a batch come as one array, whose elements an index looks up.
    @Override
    public void visitInArrayPredicate(InArrayPredicate predicate) {
        predicate.getTestExpression().accept(this);
        appendSql(" = any(");
        predicate.getArrayParameter().accept(this);
        appendSql(')');
    }

    /// Makes the translators.
    static final class Factory extends StandardSqlAstTranslatorFactory {
        @Override
        protected <T extends JdbcOperation> SqlAstTranslator<T> buildTranslator(
                SessionFactoryImplementor factory, Statement statement) {
            return new OrielTranslator<>(factory, statement);
        }
    }
}
