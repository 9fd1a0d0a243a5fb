package dev.tarn.client.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.StorageUrl.Scheme;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StorageUrlTest {
  @Test
  void schemesAreToldApart() {
    assertThat(StorageUrl.parse("s3://b/a//k%20?x"))
        .isEqualTo(new StorageUrl(Scheme.S3, "b", "a//k%20?x"));
    assertThat(StorageUrl.parse("http://h:8080/a/b?q=1"))
        .isEqualTo(new StorageUrl(Scheme.HTTP, "h:8080", "a/b?q=1"));
    assertThat(StorageUrl.parse("file:///tmp/a%20b"))
        .isEqualTo(new StorageUrl(Scheme.FILE, "", "/tmp/a b"));
    assertThat(StorageUrl.parse("dir/a:b")).isEqualTo(new StorageUrl(Scheme.FILE, "", "dir/a:b"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3://",
        "ftp://h/x",
        "http://h/a b",
        "file://host/x",
        "",
        "http://h:65536/x",
        "http://my_host/a",
        "http://h:-1/a",
        "http://u:p@h:abc/a"
      })
  void whatNamesNothingIsRefusedWithWhatWouldBeRight(String text) {
    assertThatThrownBy(() -> StorageUrl.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s).*(expected|percent-encode).*");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://u:secret@h/a b",
        "http://h/a?X-Amz-Signature=secret b",
        "http://u:secret@h:99999/a?sig=secret",
        "http://u:secret@h_1/a?sig=secret",
        "http://u:secret/secret@h/a b",
        "http://h/a b#sig=secret",
      })
  void refusalHoldsNoSecret(String text) {
    assertThatThrownBy(() -> StorageUrl.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("http://h")
        .hasNoCause()
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @CsvSource({
    "http://u:secret@h/a b?c, http://h/a b:",
    "ftp://u:secret@h/a#b, ftp://h/a:",
    "http://u:secret@my_host/a, http://my_host/a:",
    "http://h/a b?sig=1@secret, http://...:",
    "http://u:secret?secret@h/a b, http://...:",
    "http:///a?sig=secret, http:///a:",
    "HTTPS://u:secret@h/a?sig=secret, HTTPS://h/a:",
    "file://u:secret@h/a, file://h/a:",
    "s3:///k?e@y#1, s3:///k?e@y#1:",
    "file:///a b?c@d, file:///a b?c@d:",
  })
  void refusalNamesWhatIsNoSecret(String text, String named) {
    assertThatThrownBy(() -> StorageUrl.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(named)
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @CsvSource({
    "s3://b/data, x.tar, s3://b/data/x.tar",
    "s3://b, x.tar, s3://b/x.tar",
    "http://h/d/, a b.tar, http://h/d/a%20b.tar",
    "/data, x.tar, /data/x.tar",
    "/data, /abs/x.tar, /abs/x.tar",
    "/data, s3://b/x.tar, s3://b/x.tar",
    "s3://b/lists, /data/a.jpg, s3://b/data/a.jpg",
    "https://h:80/lists/, /data/a b.jpg, https://h:80/data/a%20b.jpg",
    "memory://m/lists, /a.jpg, memory://m/a.jpg",
  })
  void namesResolveAgainstFolders(String folder, String name, String expected) {
    assertThat(StorageUrl.parse(folder).resolve(name)).hasToString(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "s3://b/data, http://h/x, s3://b/data/http://h/x",
    "s3://b/data, s3://c/x, s3://b/data/s3://c/x",
    "http://h/d/, s3://c/x, http://h/d/s3%3a//c/x",
    "/data, file:///etc/x, /data/file:///etc/x",
  })
  void childStaysInItsFolderWhateverItsName(String folder, String name, String expected) {
    assertThat(StorageUrl.parse(folder).child(name)).hasToString(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "s3://b/d/x.json, s3://b/d/, x.json",
    "s3://b/x.json, s3://b/, x.json",
    "http://h/d/x.json?token=/1, http://h/d/, x.json",
    "x.json, ., x.json",
    "/x.json, /, x.json",
  })
  void parentAndNameSplitAtTheLastSlash(String url, String parent, String name) {
    assertThat(StorageUrl.parse(url).parent()).hasToString(parent);
    assertThat(StorageUrl.parse(url).name()).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "https://h/d/0.tar?X-Amz-Algorithm=A&x-amz-signature=B&versionId=3,"
        + " https://h/d/0.tar?versionId=3",
    "https://h/d/0.tar?AWSAccessKeyId=A&Expires=1&Signature=B, https://h/d/0.tar",
    "https://h/0.tar?Expires=1&id=7, https://h/0.tar?Expires=1&id=7",
    "https://h/0.tar?GoogleAccessId=A&Signature=B&X-Goog-Date=C&alt=media,"
        + " https://h/0.tar?alt=media",
    "https://h/0.tar?sv=1&sp=r&sig=A&snapshot=2, https://h/0.tar?snapshot=2",
    "https://h/0.tar?sp=r&sig=A, https://h/0.tar?sp=r&sig=A",
    "https://user:secret@h/0.tar, https://h/0.tar",
    "s3://b/0.tar?X-Amz-Signature=A, s3://b/0.tar?X-Amz-Signature=A"
  })
  void whatIsSignedAnewIsCalledTheSame(String signed, String unsigned) {
    assertThat(StorageUrl.parse(signed).unsigned()).isEqualTo(StorageUrl.parse(unsigned));
  }

  @ParameterizedTest
  @CsvSource({
    "a.tar, ., a.tar",
    "./a.tar, ., a.tar",
    "d/a.tar, ./d, a.tar",
    "./d/a.tar, d/, a.tar",
    "/d/a.tar, /d, a.tar",
    "s3://b/d/a.tar, s3://b/d, a.tar"
  })
  void nameUnderAFolderDoesNotDependOnHowTheCurrentFolderIsWritten(
      String url, String folder, String name) {
    assertThat(StorageUrl.parse(url).nameUnder(StorageUrl.parse(folder))).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({"/a.tar, .", "../a.tar, .", "e/a.tar, d", "s3://b/./a.tar, s3://b/d"})
  void fileOutsideOfAFolderHasNoNameUnderIt(String url, String folder) {
    assertThatThrownBy(() -> StorageUrl.parse(url).nameUnder(StorageUrl.parse(folder)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not under");
  }
}
