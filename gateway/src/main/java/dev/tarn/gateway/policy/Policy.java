package dev.tarn.gateway.policy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The permissions for a bucket, in addition to its ACLs. A statement that denies overrides all
 * statements that allow.
 *
 * @param statements in their order
 */
public record Policy(List<Statement> statements) {
  public Policy {
    statements = List.copyOf(statements);
  }

  /** The policy's answer to a question. */
  public enum Verdict {
    ALLOWED,
    DENIED,
    /** No statement applies. */
    SILENT
  }

  /** Decides a question. */
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

  /** Whether the policy allows something to everybody from everywhere. */
  public boolean isPublic() {
    return statements.stream().anyMatch(Statement::isPublic);
  }

  /** Whether a verdict may depend on the caller's address. */
  public boolean namesAddresses() {
    return statements.stream().anyMatch(Statement::namesAddresses);
  }

  /** The users that the policy names, by id or by name. */
  public Set<String> users() {
    Set<String> users = new HashSet<>();
    statements.forEach(statement -> users.addAll(statement.principals().users()));
    return users;
  }
}
