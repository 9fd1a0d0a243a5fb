package dev.tarn.cluster.capability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals messages between members of the cluster with AES-256-GCM, under a key derived from the
 * cluster's secret. Only holders of the secret can seal or open a message, and one message cannot
 * stand in for another. An answer is bound to its request. A sealed message is
 *
 * <pre>format version (1 byte), length of the secret's id (1), the id, time in ms (8), nonce (12),
 * ciphertext and tag</pre>
 *
 * <p>The authentication covers everything before the ciphertext, the purpose, and the request's
 * nonce. Safe for use by many threads.
 */
public final class MessageSeal {
  /**
   * The greatest age of a message, which includes the difference of the clocks and the transfer.
   */
  public static final Duration AGE_MAX = Duration.ofMinutes(2);

  private static final byte FORMAT_VERSION = 1;
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int ID_BYTES_MAX = 32;

  private final ClusterSecrets secrets;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();

  /** Seals and opens with these secrets and this clock. */
  public MessageSeal(ClusterSecrets secrets, InstantSource clock) {
    this.secrets = requireNonNull(secrets, "secrets is null");
    this.clock = requireNonNull(clock, "clock is null");
  }

  /**
   * A message that was sealed or opened.
   *
   * @param nonce identifies the message; unique
   * @param sealedMs when it was sealed, by the sender's clock, in milliseconds since 1970
   * @param bytes the sealed message after sealing, its content after opening
   */
  @SuppressWarnings("ArrayRecordComponent") // one message, read in one place
  public record Message(ByteBuffer nonce, long sealedMs, byte[] bytes) {}

  public Message sealRequest(String purpose, byte[] content) {
    return seal(purpose, ByteBuffer.allocate(0), content);
  }

  /** Seals the answer to the request with this nonce. */
  public byte[] sealAnswer(String purpose, ByteBuffer requestNonce, byte[] content) {
    return seal(purpose, requestNonce, content).bytes();
  }

  /** Opens a request that was sealed for this purpose. */
  public Message openRequest(String purpose, byte[] sealed) throws SealException {
    return open(purpose, ByteBuffer.allocate(0), sealed);
  }

  /** Opens an answer to this request and returns its content. */
  public byte[] openAnswer(String purpose, ByteBuffer requestNonce, byte[] sealed)
      throws SealException {
    return open(purpose, requestNonce, sealed).bytes();
  }

  private Message seal(String purpose, ByteBuffer requestNonce, byte[] content) {
    byte[] id = secrets.grantingId().getBytes(US_ASCII);
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    long nowMs = clock.millis();
    ByteBuffer header = ByteBuffer.allocate(2 + id.length + Long.BYTES + NONCE_BYTES);
    header.put(FORMAT_VERSION).put((byte) id.length).put(id).putLong(nowMs).put(nonce);
    header.flip();
    SecretKeySpec key = secrets.sealKey(secrets.grantingId()).orElseThrow();
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce, purpose, requestNonce, header);
      ByteBuffer sealed =
          ByteBuffer.allocate(header.remaining() + cipher.getOutputSize(content.length));
      sealed.put(header.duplicate());
      cipher.doFinal(ByteBuffer.wrap(content), sealed);
      return new Message(ByteBuffer.wrap(nonce).asReadOnlyBuffer(), nowMs, sealed.array());
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("this JDK cannot seal by " + CIPHER, impossible);
    }
  }

  private Message open(String purpose, ByteBuffer requestNonce, byte[] sealed)
      throws SealException {
    try {
      ByteBuffer in = ByteBuffer.wrap(sealed);
      int version = in.get();
      if (version != FORMAT_VERSION) {
        throw new SealException(
            "a sealed message has format version " + version + ", known is " + FORMAT_VERSION);
      }
      byte[] id = new byte[Math.min(ID_BYTES_MAX, Byte.toUnsignedInt(in.get()))];
      in.get(id);
      long timeMs = in.getLong();
      byte[] nonce = new byte[NONCE_BYTES];
      in.get(nonce);
      Optional<SecretKeySpec> key = secrets.sealKey(new String(id, US_ASCII));
      if (key.isEmpty()) {
        throw new SealException("the message was sealed under a secret that is unknown here");
      }
      ByteBuffer header = in.duplicate().flip();
      Cipher cipher =
          cipher(Cipher.DECRYPT_MODE, key.orElseThrow(), nonce, purpose, requestNonce, header);
      byte[] content = cipher.doFinal(sealed, in.position(), in.remaining());
      checkAge(timeMs);
      return new Message(ByteBuffer.wrap(nonce).asReadOnlyBuffer(), timeMs, content);
    } catch (BufferUnderflowException e) {
      throw new SealException("the sealed message is cut short", e);
    } catch (AEADBadTagException e) {
      throw new SealException("the message was not sealed under this cluster's secret", e);
    } catch (GeneralSecurityException e) {
      throw new SealException("the sealed message is malformed", e);
    }
  }

  private void checkAge(long timeMs) throws SealException {
    long ageMs = clock.millis() - timeMs;
    if (Math.abs(ageMs) > AGE_MAX.toMillis()) {
      throw new SealException(
          "the message was sealed "
              + ageMs
              + " ms ago by the clock here, at most "
              + AGE_MAX.toMillis()
              + " are allowed; set the clocks");
    }
  }

  private static Cipher cipher(
      int mode,
      SecretKeySpec key,
      byte[] nonce,
      String purpose,
      ByteBuffer requestNonce,
      ByteBuffer header)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(header.duplicate());
    cipher.updateAAD(new byte[] {(byte) requestNonce.remaining()});
    cipher.updateAAD(requestNonce.duplicate());
    cipher.updateAAD(purpose.getBytes(US_ASCII));
    return cipher;
  }
}
