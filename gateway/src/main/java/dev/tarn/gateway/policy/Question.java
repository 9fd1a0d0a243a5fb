package dev.tarn.gateway.policy;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A question to a policy: whether the caller may do this.
 *
 * @param caller of the request
 * @param action the action to decide
 * @param resource the bucket's name, or {@code bucket/key} for an action on an object
 * @param prefix the parameter of a listing; null if the request has none
 * @param existingTags the tags of the object that exists, none if there is no such object; null if
 *     nobody has looked yet
 */
public record Question(
    Caller caller,
    Action action,
    String resource,
    @Nullable String prefix,
    @Nullable Map<String, String> existingTags) {
  public Question {
    requireNonNull(caller, "caller is null");
    requireNonNull(action, "action is null");
    requireNonNull(resource, "resource is null");
  }
}
