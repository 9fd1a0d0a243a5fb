package dev.tarn.cluster.control;

import dev.tarn.cluster.codec.Codec;
import java.net.URI;
import java.util.Optional;

/** The encoding of users, key pairs and bucket settings. */
final class SettingsCodec {
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
                  .number(4, key.createdMs())
                  .flag(5, !key.active()),
          in -> new AccessKey(in.text(1), in.text(2), in.text(3), in.number(4), !in.flag(5)));

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

  private static final int BACKEND_TAG = 1;

  /** The backend, and the text of each setting. A setting that is missing has its default. */
  static final Codec<BucketSettings> SETTINGS =
      Codec.of(
          "bucket settings",
          (out, settings) ->
              BucketSettings.SCHEMA.write(
                  out.message(BACKEND_TAG, BACKEND, settings.backend()), settings),
          in -> {
            Optional<BackendSettings> backend = in.optionalMessage(BACKEND_TAG, BACKEND);
            return BucketSettings.SCHEMA.read(in, BucketSettings.PRIMARY.withBackend(backend));
          });

  private SettingsCodec() {}
}
