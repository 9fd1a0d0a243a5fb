package dev.tarn.cluster.control.remote;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.FieldReader;
import dev.tarn.cluster.codec.MalformedMessageException;
import dev.tarn.cluster.control.remote.CertificateIssuer.Issued;
import dev.tarn.cluster.control.remote.CertificateIssuer.Wish;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.X509EncodedKeySpec;
import java.util.Optional;

/** The messages by which a member gets its certificate, as bytes before sealing. */
final class CertificateMessages {
  /** Members make keys of this algorithm. */
  private static final String KEY_ALGORITHM = "EC";

  private static final Codec<Wish> WISH =
      Codec.of(
          "wish",
          (out, wish) -> out.bytes(1, wish.key().getEncoded()).texts(2, wish.hosts()),
          in -> new Wish(key(in), in.texts(2, Wish.HOSTS_MAX)));

  private static final Codec<X509Certificate> CERTIFICATE =
      Codec.of(
          "certificate",
          (out, certificate) -> out.bytes(1, encoded(certificate)),
          CertificateMessages::certificate);

  private static final Codec<Issued> ISSUED =
      Codec.of(
          "certificate answer",
          (out, issued) ->
              out.message(1, CERTIFICATE, issued.certificate())
                  .messages(2, CERTIFICATE, issued.authorities()),
          in ->
              new Issued(
                  in.optionalMessage(1, CERTIFICATE),
                  in.messages(2, CERTIFICATE, Issued.AUTHORITIES_MAX)));

  private CertificateMessages() {}

  /**
   * A request for a certificate.
   *
   * @param member the sender
   * @param wish empty to ask for the authorities alone
   */
  record Request(Messages.Asking member, Optional<Wish> wish) {
    private static final Codec<Request> CODEC =
        Codec.of(
            "certificate request",
            (out, request) ->
                out.message(1, Messages.Asking.CODEC, request.member())
                    .message(2, WISH, request.wish()),
            in -> new Request(in.message(1, Messages.Asking.CODEC), in.optionalMessage(2, WISH)));

    byte[] encode() {
      return Messages.encode(CODEC, this);
    }

    static Request decode(byte[] bytes) throws MalformedMessageException {
      return Messages.decode(CODEC, bytes);
    }
  }

  static byte[] encode(Issued issued) {
    return Messages.encode(ISSUED, issued);
  }

  static Issued decode(byte[] bytes) throws MalformedMessageException {
    return Messages.decode(ISSUED, bytes);
  }

  private static PublicKey key(FieldReader in) throws MalformedMessageException {
    byte[] encoded = in.bytes(1);
    try {
      return KeyFactory.getInstance(KEY_ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded));
    } catch (GeneralSecurityException e) {
      throw in.malformed("the key is no " + KEY_ALGORITHM + " key: " + e.getMessage());
    }
  }

  private static X509Certificate certificate(FieldReader in) throws MalformedMessageException {
    byte[] encoded = in.bytes(1);
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded));
    } catch (CertificateException e) {
      throw in.malformed("it is no certificate: " + e.getMessage());
    }
  }

  private static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (CertificateEncodingException e) {
      throw new IllegalArgumentException("the certificate has no encoding", e);
    }
  }
}
