package dev.tarn.client.decode;

/**
 * A member's bytes are not in its extension's format. The message names sample, shard, extension
 * and the problem.
 */
public final class DecodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String key;
  private final String shard;
  private final String extension;

  DecodeException(EncodedMember member, String what) {
    super(
        "sample %s of %s: member %s %s"
            .formatted(member.key(), member.shard(), member.extension(), what));
    this.key = member.key();
    this.shard = member.shard();
    this.extension = member.extension();
  }

  DecodeException(EncodedMember member, Throwable cause) {
    this(member, "cannot be decoded: " + cause.getMessage());
    initCause(cause);
  }

  /** The key of the sample. */
  public String key() {
    return key;
  }

  /** The shard of the sample. */
  public String shard() {
    return shard;
  }

  /** The extension of the member. */
  public String extension() {
    return extension;
  }
}
