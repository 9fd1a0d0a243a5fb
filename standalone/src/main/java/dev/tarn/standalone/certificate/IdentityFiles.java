package dev.tarn.standalone.certificate;

import static java.util.Objects.requireNonNull;

import dev.tarn.standalone.config.ClusterConfig.MemberTlsFiles;
import dev.tarn.standalone.node.SmallFile;
import dev.tarn.transport.tls.MemberIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;

/**
 * The identity that an operator gives by files, such as those of a Secret of cert-manager. The
 * files are read again when their content has changed. Belongs to one thread.
 */
public final class IdentityFiles implements IdentitySource {
  private final MemberTlsFiles files;
  private List<String> read = List.of();

  public IdentityFiles(MemberTlsFiles files) {
    this.files = requireNonNull(files, "files is null");
  }

  @Override
  public Optional<MemberIdentity> renewed() throws IOException, GeneralSecurityException {
    Path key = files.privateKey();
    List<String> present =
        List.of(
            PemFile.text(files.certificateChain()),
            PemFile.text(key),
            PemFile.text(files.authorities()));
    if (present.equals(read)) {
      return Optional.empty();
    }
    if (SmallFile.isOpenToOthers(key)) {
      throw new IOException("others can read the private key " + key + "; chmod 600 it");
    }
    MemberIdentity identity =
        new MemberIdentity(
            PemFile.parse(key, present.get(1))
                .key()
                .orElseThrow(() -> new IOException(key + " has no private key")),
            PemFile.parse(files.certificateChain(), present.get(0)).certificates(),
            PemFile.parse(files.authorities(), present.get(2)).certificates());
    if (!PemFile.isPairOf(identity.key(), identity.chain().get(0).getPublicKey())) {
      throw new IOException(
          "the private key "
              + key
              + " does not belong to the first certificate of "
              + files.certificateChain());
    }
    read = present;
    return Optional.of(identity);
  }
}
