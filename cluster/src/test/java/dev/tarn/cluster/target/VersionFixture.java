package dev.tarn.cluster.target;

import static dev.tarn.cluster.target.ContractFixture.failure;
import static dev.tarn.cluster.target.ContractFixture.key;
import static dev.tarn.cluster.target.ContractFixture.success;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.ListObjects;
import dev.tarn.cluster.target.TargetRequest.ListVersions;
import java.util.List;
import java.util.Optional;

/** Short words for calls about versions. */
interface VersionFixture extends ContractFixture {
  /** Puts under this versioning and gives the version's text. */
  default String put(Versioning versioning, String key, String text) {
    setVersioning(versioning);
    return put(key, text).versionText();
  }

  default Get get(String key, String version) {
    return new Get(scope(), key(key), Optional.of(version), Selection.WHOLE, Preconditions.NONE);
  }

  default Head head(String key, String version) {
    return new Head(scope(), key(key), Optional.of(version), Selection.WHOLE, Preconditions.NONE);
  }

  default ObjectMetadata metadata(String key, String version) {
    return success(target().call(head(key, version))).metadata();
  }

  default String text(String key, String version) {
    return new String(BodyBytes.read(success(target().call(get(key, version))).body()), UTF_8);
  }

  default Failure refusal(String key) {
    Failure ofHead = failure(target().call(headRequest(key)));
    Failure ofGet = failure(target().call(getRequest(key)));
    return ofHead.equals(ofGet) ? ofHead : new Failure.Bug("HEAD and GET say different things");
  }

  default Failure refusal(String key, String version) {
    Failure ofHead = failure(target().call(head(key, version)));
    Failure ofGet = failure(target().call(get(key, version)));
    return ofHead.equals(ofGet) ? ofHead : new Failure.Bug("HEAD and GET say different things");
  }

  default Deleted delete(String key) {
    return success(
        target().call(new Delete(scope(), key(key), Optional.empty(), Preconditions.NONE)));
  }

  default Deleted delete(String key, String version) {
    return success(
        target().call(new Delete(scope(), key(key), Optional.of(version), Preconditions.NONE)));
  }

  default VersionPage list(
      String prefix, String delimiter, String afterKey, String afterVersion, int max) {
    return success(
        target().call(new ListVersions(scope(), prefix, delimiter, afterKey, afterVersion, max)));
  }

  /** Each version as its key and text, with a star where it is the latest. */
  default List<String> versions() {
    return shown(list("", "", "", "", 1000));
  }

  static List<String> shown(VersionPage page) {
    return page.entries().stream().map(VersionFixture::shown).toList();
  }

  private static String shown(VersionPage.Entry entry) {
    return entry instanceof VersionPage.VersionEntry version
        ? version.key().text()
            + " "
            + version.versionText()
            + (version.deleteMarker() ? " deleted" : "")
            + (version.latest() ? " *" : "")
        : entry.key().text();
  }

  default List<String> keys() {
    return success(target().call(new ListObjects(scope(), "", "", "", 1000))).entries().stream()
        .map(entry -> new String(entry.orderBytes(), UTF_8))
        .toList();
  }
}
