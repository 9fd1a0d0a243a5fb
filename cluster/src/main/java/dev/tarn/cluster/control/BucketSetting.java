package dev.tarn.cluster.control;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a component of {@link BucketSettings} as a setting. The encoding, the admin API's JSON,
 * the command line's options, declarations, the configuration's document and the schema of the
 * chart's values derive from it; see {@link SettingsSchema}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface BucketSetting {
  /** The tag of its field in the encoding; never changes and never gets a second meaning. */
  int tag();

  /** Describes the effect of the setting; begins with a small letter and has no full stop. */
  String meaning();
}
