package dev.tarn.cluster.control;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.BucketSettings.Verify;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** The encoding of users, key pairs and bucket settings. */
final class SettingsCodec {
  private static final List<Durability> DURABILITIES = List.of(Durability.FSYNC, Durability.OS);
  private static final List<Verify> VERIFICATIONS = List.of(Verify.SCRUB, Verify.ALWAYS);
  private static final List<Freshness.Mode> MODES =
      List.of(Freshness.Mode.REVALIDATE, Freshness.Mode.IMMUTABLE, Freshness.Mode.TTL);

  static final Codec<User> USER =
      Codec.of(
          "user",
          (out, user) -> out.text(1, user.id()).text(2, user.name()).flag(3, user.admin()),
          in -> new User(in.text(1), in.text(2), in.flag(3)));

  static final Codec<AccessKey> ACCESS_KEY =
      Codec.of(
          "access key",
          (out, key) ->
              out.text(1, key.id())
                  .text(2, key.secret())
                  .text(3, key.userId())
                  .number(4, key.createdMs()),
          in -> new AccessKey(in.text(1), in.text(2), in.text(3), in.number(4)));

  private static final Codec<BackendSettings> BACKEND =
      Codec.of(
          "backend",
          (out, backend) ->
              out.text(1, backend.endpoint().map(URI::toString))
                  .text(2, backend.region())
                  .text(3, backend.bucket())
                  .text(4, backend.prefix())
                  .text(5, backend.accessKeyId())
                  .text(6, backend.secretAccessKey()),
          in ->
              new BackendSettings(
                  in.optionalText(1).map(URI::create),
                  in.text(2),
                  in.text(3),
                  in.text(4),
                  in.text(5),
                  in.text(6)));

  private static final Codec<Freshness> FRESHNESS =
      Codec.of(
          "freshness",
          (out, freshness) ->
              out.constant(1, MODES, freshness.mode()).number(2, freshness.timeToLive().toMillis()),
          in -> new Freshness(in.constant(1, MODES), Duration.ofMillis(in.number(2))));

  static final Codec<BucketSettings> SETTINGS =
      Codec.of(
          "bucket settings",
          (out, settings) ->
              out.constant(1, DURABILITIES, settings.durability())
                  .constant(2, VERIFICATIONS, settings.verify())
                  .message(3, BACKEND, settings.backend())
                  .message(4, FRESHNESS, settings.freshness())
                  .flag(5, settings.anonymousRead())
                  .flag(6, settings.hideBackend()),
          in ->
              new BucketSettings(
                  in.constant(1, DURABILITIES),
                  in.constant(2, VERIFICATIONS),
                  in.optionalMessage(3, BACKEND),
                  in.message(4, FRESHNESS),
                  in.flag(5),
                  in.flag(6)));

  private SettingsCodec() {}
}
