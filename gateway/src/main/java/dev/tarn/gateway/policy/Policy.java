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
    SILENT,
    /** No statement allows, unless the tags of the object let one apply. */
    ALLOWED_BY_TAGS,
    /** The tags of the object decide whether a statement denies. */
    DENIED_BY_TAGS
  }

  /** Decides a question. If the tags of the object are known, the verdict is not by tags. */
  public Verdict judge(Question question) {
    Verdict verdict = Verdict.SILENT;
    boolean mayBeDenied = false;
    for (Statement statement : statements) {
      if (statement.appliesTo(question)) {
        boolean certain = !statement.awaitsObject(question);
        if (statement.deny()) {
          if (certain) {
            return Verdict.DENIED;
          }
          mayBeDenied = true;
        } else if (certain) {
          verdict = Verdict.ALLOWED;
        } else if (verdict == Verdict.SILENT) {
          verdict = Verdict.ALLOWED_BY_TAGS;
        }
      }
    }
    return mayBeDenied ? Verdict.DENIED_BY_TAGS : verdict;
  }

  /** Whether the policy allows something to everybody from everywhere. */
  public boolean isPublic() {
    return statements.stream().anyMatch(Statement::isPublic);
  }

  /** Whether a verdict may depend on how the caller is connected, or on what page led to it. */
  public boolean namesConnections() {
    return statements.stream().anyMatch(Statement::namesConnections);
  }

  /** Whether a verdict may depend on the tags of objects that exist. */
  public boolean namesExistingTags() {
    return statements.stream().anyMatch(Statement::namesExistingTags);
  }

  /** The users that the policy names, by id or by name. */
  public Set<String> users() {
    Set<String> users = new HashSet<>();
    statements.forEach(statement -> users.addAll(statement.principals().users()));
    return users;
  }
}
