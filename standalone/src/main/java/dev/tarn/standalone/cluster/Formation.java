package dev.tarn.standalone.cluster;

import static java.util.Objects.requireNonNull;

import dev.tarn.standalone.client.AdminApi;
import dev.tarn.standalone.client.AdminRequestException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Puts targets into the cluster map as soon as they have announced themselves: makes the first map
 * of these, or adds them to a map whose targets are among these.
 */
public final class Formation {
  private static final int UNAVAILABLE = 503;
  private static final String ANNOUNCED = "announced";

  private final AdminApi api;
  private final Consumer<String> progress;
  private String told = "";

  /**
   * The targets to put into the cluster map.
   *
   * @param ids the ids of the targets; empty for all announced targets
   * @param countMin how many targets must have announced themselves
   */
  public record Members(List<String> ids, int countMin) {
    public Members {
      ids = List.copyOf(requireNonNull(ids, "ids is null"));
    }

    /** Describes the targets to wait for; empty if none is missing. */
    private String missing(JsonObject cluster) {
      List<String> announced = Formation.ids(cluster, state -> true);
      String there = announced.isEmpty() ? "none" : String.join(", ", announced);
      List<String> absent = ids.stream().filter(id -> !announced.contains(id)).toList();
      if (!absent.isEmpty()) {
        return String.join(", ", absent) + " to announce itself; those that have are " + there;
      }
      return announced.size() < countMin
          ? countMin + " targets to announce themselves; those that have are " + there
          : "";
    }
  }

  /** Creates a formation that reports to {@code progress} what it waits for, once per change. */
  public Formation(AdminApi api, Consumer<String> progress) {
    this.api = requireNonNull(api, "api is null");
    this.progress = requireNonNull(progress, "progress is null");
  }

  /**
   * Waits until the targets have announced themselves, and puts them into the cluster map.
   *
   * @return the cluster, and whether it {@code changed}
   * @throws AdminRequestException if the server rejects the map
   * @throws IOException if targets are missing at the time limit; names the announced targets
   */
  public JsonObject form(Members members, Backoff backoff) throws IOException {
    String missing;
    do {
      missing = missing(members);
      if (missing.isEmpty()) {
        try {
          return formed(members);
        } catch (IOException e) {
          missing = temporary(e);
        }
      }
      tell(missing);
    } while (backoff.again());
    throw new IOException(
        "gave up after " + backoff.max().toMillis() + " ms of waiting for " + missing);
  }

  /** Makes the first map, or adds the targets that a map does not have. */
  private JsonObject formed(Members members) throws IOException {
    JsonObject cluster = api.call("GET", "/cluster", null);
    List<String> present = ids(cluster, state -> !state.equals(ANNOUNCED));
    List<String> wanted = members.ids().isEmpty() ? ids(cluster, state -> true) : members.ids();
    List<String> added = wanted.stream().filter(id -> !present.contains(id)).toList();
    if (present.isEmpty() || added.isEmpty() || !wanted.containsAll(present)) {
      return api.call(
          "POST",
          "/cluster/members",
          new JsonObject().put("targets", new JsonArray(members.ids())));
    }
    for (String id : added) {
      cluster = api.call("POST", "/cluster/targets/" + id + "/add", new JsonObject());
    }
    return cluster;
  }

  private static List<String> ids(JsonObject cluster, Predicate<String> state) {
    return cluster.getJsonArray("targets").stream()
        .map(JsonObject.class::cast)
        .filter(target -> state.test(target.getString("state", ANNOUNCED)))
        .map(target -> target.getString("id"))
        .toList();
  }

  private String missing(Members members) throws IOException {
    try {
      return members.missing(api.call("GET", "/cluster", null));
    } catch (IOException e) {
      return temporary(e);
    }
  }

  /** Describes a temporary failure: no answer, or status 503. Throws every other failure again. */
  private static String temporary(IOException failure) throws IOException {
    if (failure instanceof AdminRequestException refused && refused.status() != UNAVAILABLE) {
      throw failure;
    }
    return "a server that answers: " + failure.getMessage();
  }

  private void tell(String missing) {
    if (!missing.equals(told)) {
      told = missing;
      progress.accept("waiting for " + missing);
    }
  }
}
