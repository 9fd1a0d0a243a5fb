package dev.tarn.client.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.utils.StringInputStream;

class AwsConfigurationTest {
  private static final String CONFIG =
      """
      [default]
      region = eu-west-1
      endpoint_url = http://default.example

      [profile lab]
      endpoint_url = http://all.example
      services = lab-services

      [services lab-services]
      s3 =
        endpoint_url = http://s3.example
      """;

  @Test
  void endpointIsTheFirstOfFlagEnvironmentAndProfile() {
    Map<String, String> both =
        Map.of("AWS_ENDPOINT_URL_S3", "http://one", "AWS_ENDPOINT_URL", "http://two");
    assertThat(
            configuration(StorageOptions.builder().endpoint(URI.create("http://flag")), both)
                .endpoint())
        .hasValue(URI.create("http://flag"));
    assertThat(configuration(both).endpoint()).hasValue(URI.create("http://one"));
    assertThat(configuration(Map.of("AWS_ENDPOINT_URL", "http://two")).endpoint())
        .hasValue(URI.create("http://two"));
    assertThat(configuration(Map.of("AWS_PROFILE", "lab")).endpoint())
        .hasValue(URI.create("http://s3.example"));
    assertThat(configuration(Map.of()).endpoint()).hasValue(URI.create("http://default.example"));
    assertThat(configuration(Map.of("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true")).endpoint())
        .isEmpty();
  }

  @Test
  void regionIsTheFirstOfFlagEnvironmentAndProfile() {
    assertThat(configuration(StorageOptions.builder().region("r1"), Map.of()).region().id())
        .isEqualTo("r1");
    assertThat(configuration(Map.of("AWS_REGION", "r2", "AWS_DEFAULT_REGION", "r3")).region().id())
        .isEqualTo("r2");
    assertThat(configuration(Map.of("AWS_DEFAULT_REGION", "r3")).region().id()).isEqualTo("r3");
    assertThat(configuration(Map.of()).region().id()).isEqualTo("eu-west-1");
    assertThat(configuration(Map.of("AWS_PROFILE", "lab")).region().id()).isEqualTo("us-east-1");
  }

  @Test
  void wrongSettingsAreNamed() {
    assertThatThrownBy(() -> configuration(Map.of("AWS_PROFILE", "none")))
        .hasMessageContaining("profile none");
    assertThatThrownBy(() -> configuration(Map.of("AWS_ENDPOINT_URL", "nowhere:80")).endpoint())
        .hasMessageContaining("nowhere:80, expected http(s)://host[:port]");
  }

  private static AwsConfiguration configuration(Map<String, String> environment) {
    return configuration(StorageOptions.builder(), environment);
  }

  private static AwsConfiguration configuration(
      StorageOptions.Builder options, Map<String, String> environment) {
    ProfileFile profiles =
        ProfileFile.builder()
            .content(new StringInputStream(CONFIG))
            .type(ProfileFile.Type.CONFIGURATION)
            .build();
    return new AwsConfiguration(options.build(), environment::get, profiles);
  }
}
