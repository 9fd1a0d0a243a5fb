package dev.tarn.gateway.policy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who may do what with a bucket, beyond what ACLs say. A statement that denies wins over all that
 * allow.
 *
 * @param statements in their order
 */
public record Policy(List<Statement> statements) {
  public Policy {
    statements = List.copyOf(statements);
  }

  /** What a policy says of a question. */
  public enum Verdict {
    ALLOWED,
    DENIED,
    /** Nothing. */
    SILENT
  }

  /** What it says. */
  public Verdict judge(Question question) {
    Verdict verdict = Verdict.SILENT;
    for (Statement statement : statements) {
      if (statement.appliesTo(question)) {
        if (statement.deny()) {
          return Verdict.DENIED;
        }
        verdict = Verdict.ALLOWED;
      }
    }
    return verdict;
  }

  /** Whether it opens something to everybody everywhere. */
  public boolean isPublic() {
    return statements.stream().anyMatch(Statement::isPublic);
  }

  /** Whether what it says may depend on where the caller is. */
  public boolean namesAddresses() {
    return statements.stream().anyMatch(Statement::namesAddresses);
  }

  /** The users whom it names, by id or by name. */
  public Set<String> users() {
    Set<String> users = new HashSet<>();
    statements.forEach(statement -> users.addAll(statement.principals().users()));
    return users;
  }
}
