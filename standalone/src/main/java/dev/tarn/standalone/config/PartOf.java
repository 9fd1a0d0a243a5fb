package dev.tarn.standalone.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a component of type {@code Map<String, Object>} a section whose keys are the bucket
 * settings that a record declares. The map holds the values that are given, by their keys.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface PartOf {
  /** The record that declares the settings. */
  Class<? extends Record> value();
}
