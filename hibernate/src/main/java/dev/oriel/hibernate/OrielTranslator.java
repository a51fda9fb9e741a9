package dev.oriel.hibernate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.sql.ast.Clause;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.StandardSqlAstTranslator;
import org.hibernate.sql.ast.spi.StandardSqlAstTranslatorFactory;
import org.hibernate.sql.ast.tree.Statement;
import org.hibernate.sql.ast.tree.cte.CteContainer;
import org.hibernate.sql.ast.tree.cte.CteStatement;
import org.hibernate.sql.ast.tree.cte.CteTable;
import org.hibernate.sql.ast.tree.delete.DeleteStatement;
import org.hibernate.sql.ast.tree.from.NamedTableReference;
import org.hibernate.sql.ast.tree.insert.ConflictClause;
import org.hibernate.sql.ast.tree.predicate.InArrayPredicate;
import org.hibernate.sql.ast.tree.predicate.Junction;
import org.hibernate.sql.ast.tree.predicate.LikePredicate;
import org.hibernate.sql.ast.tree.update.UpdateStatement;
import org.hibernate.sql.exec.spi.JdbcOperation;
import org.jspecify.annotations.Nullable;

/// Writes Hibernate's statements as SQL: the standard's, but for conditions on arrays and deletions in WITH.
final class OrielTranslator<T extends JdbcOperation> extends StandardSqlAstTranslator<T> {
    private OrielTranslator(SessionFactoryImplementor factory, Statement statement) {
        super(factory, statement);
    }

    /// HQL has no escape character unless a query names one; SQL's here is the backslash.
    @Override
    public void visitLikePredicate(LikePredicate predicate) {
        super.visitLikePredicate(predicate);
        if (predicate.getEscapeCharacter() == null) {
            appendSql(" escape ''");
        }
    }

    // Hibernate 6.6 asks the translator, and Hibernate 7 the dialect.

    @SuppressWarnings("MissingOverride")
    public boolean supportsRecursiveCycleClause() {
        return true;
    }

    @SuppressWarnings("MissingOverride")
    public boolean supportsRecursiveCycleUsingClause() {
        return true;
    }

    @SuppressWarnings("MissingOverride")
    public boolean supportsRecursiveSearchClause() {
        return true;
    }

    /// CYCLE needs the column of its path.
    @Override
    protected void renderStandardCycleClause(CteStatement cte) {
        super.renderStandardCycleClause(cte);
        if (cte.getCycleMarkColumn() != null && cte.getCyclePathColumn() == null) {
            appendSql(" using ");
            appendSql(determineCyclePathColumnName(cte));
        }
    }

    @Override
    protected void visitConflictClause(@Nullable ConflictClause clause) {
        visitStandardConflictClause(clause);
    }

    @Override
    protected void renderFromClauseAfterUpdateSet(UpdateStatement statement) {
        renderFromClauseJoiningDmlTargetReference(statement);
    }

    /// The target of an update with joins has no alias: its copy in FROM has it.
    @Override
    protected void renderDmlTargetTableExpression(NamedTableReference target) {
        super.renderDmlTargetTableExpression(target);
        boolean joins =
                getStatementStack().getCurrent() instanceof UpdateStatement update
                        && hasNonTrivialFromClause(update.getFromClause());
        String alias = target.getIdentificationVariable();
        if (!joins && alias != null) {
            appendSql(getClauseStack().getCurrent() == Clause.INSERT ? " as " : " ");
            appendSql(alias);
        }
    }

    /// Keys of a batch come as one array, whose elements an index looks up.
    @Override
    public void visitInArrayPredicate(InArrayPredicate predicate) {
        predicate.getTestExpression().accept(this);
        appendSql(" = any(");
        predicate.getArrayParameter().accept(this);
        appendSql(')');
    }

    /// Parts that delete from one table become one, as a statement changes rows of a table in one part only. A join
    /// table has two such parts if both of its ends are collections of the deleted entity.
    @Override
    public void visitCteContainer(CteContainer container) {
        Map<String, List<CteStatement>> deletions = new LinkedHashMap<>();
        for (CteStatement part : container.getCteStatements().values()) {
            if (part.getCteDefinition() instanceof DeleteStatement delete) {
                deletions
                        .computeIfAbsent(
                                delete.getTargetTable().getTableExpression(),
                                table -> new ArrayList<>())
                        .add(part);
            }
        }
        for (List<CteStatement> parts : deletions.values()) {
            if (parts.size() > 1) {
                merge(container.getCteStatements(), parts);
            }
        }
        super.visitCteContainer(container);
    }

    /// Puts the conditions of all `parts` into the first of them, in its place, and takes the others out of `all`.
    private static void merge(Map<String, CteStatement> all, List<CteStatement> parts) {
        Junction either = new Junction(Junction.Nature.DISJUNCTION);
        for (CteStatement part : parts) {
            either.add(((DeleteStatement) part.getCteDefinition()).getRestriction());
        }
        for (CteStatement later : parts.subList(1, parts.size())) {
            all.remove(later.getCteTable().getTableExpression());
        }
        CteTable table = parts.getFirst().getCteTable();
        DeleteStatement first = (DeleteStatement) parts.getFirst().getCteDefinition();
        DeleteStatement merged =
                new DeleteStatement(first.getTargetTable(), either, first.getReturningColumns());
        all.put(table.getTableExpression(), new CteStatement(table, merged));
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
