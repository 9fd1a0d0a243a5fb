package dev.tarn.cluster.object;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * S3's access control list of a bucket or an object: the permissions that are granted to others
 * than its owner. The owner may do everything.
 *
 * @param grants the grantees of each permission: ids of users, {@link #EVERYBODY}, {@link
 *     #EVERY_USER}
 */
public record AccessList(SortedMap<Permission, SortedSet<String>> grants) {
  /** Stands for all callers, with or without a signature. */
  public static final String EVERYBODY = "*";

  /** Stands for all callers that sign as some user. */
  public static final String EVERY_USER = "+";

  /** Nothing is granted. */
  public static final AccessList PRIVATE = new AccessList(new TreeMap<>());

  /** Everybody may read an object, or list a bucket. */
  public static final AccessList PUBLIC_READ = PRIVATE.with(Permission.READ, EVERYBODY);

  /** Everybody may also put objects into a bucket. */
  public static final AccessList PUBLIC_READ_WRITE = PUBLIC_READ.with(Permission.WRITE, EVERYBODY);

  /** Every user may read an object, or list a bucket. */
  public static final AccessList AUTHENTICATED_READ = PRIVATE.with(Permission.READ, EVERY_USER);

  private static final Map<String, AccessList> CANNED =
      Map.of(
          "private", PRIVATE,
          "public-read", PUBLIC_READ,
          "public-read-write", PUBLIC_READ_WRITE,
          "authenticated-read", AUTHENTICATED_READ);

  private static final Set<String> GROUPS = Set.of(EVERYBODY, EVERY_USER);

  /** What can be granted; the names are those of S3. */
  public enum Permission {
    /** To read an object, or to list a bucket. */
    READ,
    /** To put objects into a bucket. */
    WRITE,
    /** To read the list. */
    READ_ACP,
    /** To replace the list. */
    WRITE_ACP,
    /** All of the others. */
    FULL_CONTROL
  }

  public AccessList {
    TreeMap<Permission, SortedSet<String>> copy = new TreeMap<>();
    grants.forEach((permission, grantees) -> {
      grantees.forEach(AccessList::requireGrantee);
      if (!grantees.isEmpty()) {
        copy.put(permission, Collections.unmodifiableSortedSet(new TreeSet<>(grantees)));
      }
    });
    grants = Collections.unmodifiableSortedMap(copy);
  }

  private static void requireGrantee(String grantee) {
    requireNonNull(grantee, "grantee is null");
    boolean isId = !grantee.isEmpty() && grantee.chars().noneMatch(c -> c <= ' ' || c == ',');
    if (!isId) {
      throw new IllegalArgumentException("not the id of a grantee: \"" + grantee + "\"");
    }
  }

  /** The list that S3 has under this name, such as {@code public-read}. */
  public static Optional<AccessList> canned(String name) {
    return Optional.ofNullable(CANNED.get(name));
  }

  /** This list with one more grant. */
  public AccessList with(Permission permission, String grantee) {
    TreeMap<Permission, SortedSet<String>> more = new TreeMap<>(grants);
    TreeSet<String> grantees = new TreeSet<>(more.getOrDefault(permission, new TreeSet<>()));
    grantees.add(grantee);
    more.put(permission, grantees);
    return new AccessList(more);
  }

  /** This list without what it grants to everybody and to every user. */
  public AccessList withoutGroups() {
    TreeMap<Permission, SortedSet<String>> rest = new TreeMap<>();
    grants.forEach((permission, grantees) -> {
      TreeSet<String> users = new TreeSet<>(grantees);
      users.removeAll(GROUPS);
      rest.put(permission, users);
    });
    return new AccessList(rest);
  }

  /**
   * Whether the list grants a permission.
   *
   * @param userId of the caller; null if the caller is anonymous
   */
  public boolean allows(Permission permission, @Nullable String userId) {
    return isGranted(permission, userId) || isGranted(Permission.FULL_CONTROL, userId);
  }

  private boolean isGranted(Permission permission, @Nullable String userId) {
    Set<String> grantees = grants.get(permission);
    return grantees != null
        && (grantees.contains(EVERYBODY)
            || (userId != null && (grantees.contains(EVERY_USER) || grantees.contains(userId))));
  }

  /** Whether the list grants something to everybody or to every user. */
  public boolean isPublic() {
    return grants.values().stream()
        .anyMatch(grantees -> grantees.contains(EVERYBODY) || grantees.contains(EVERY_USER));
  }

  /** The list as a text that {@link #parse} reads, such as {@code READ=*,id WRITE=id}. */
  public String text() {
    return grants.entrySet().stream()
        .map(grant -> grant.getKey() + "=" + String.join(",", grant.getValue()))
        .collect(Collectors.joining(" "));
  }

  private static Permission permission(String name) {
    return Arrays.stream(Permission.values())
        .filter(permission -> permission.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "the permission " + name + " is not known; update this process"));
  }

  /**
   * Parses the text of a list, or its canned name; empty for a private one.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static AccessList parse(String text) {
    AccessList canned = CANNED.get(text);
    if (canned != null) {
      return canned;
    }
    TreeMap<Permission, SortedSet<String>> grants = new TreeMap<>();
    for (String grant : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
      int equals = grant.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("no grant: " + grant);
      }
      grants.put(
          permission(grant.substring(0, equals)),
          new TreeSet<>(Arrays.asList(grant.substring(equals + 1).split(",", -1))));
    }
    return new AccessList(grants);
  }
}
