package dev.tarn.standalone.demo;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/**
 * A file that the demo uploads.
 *
 * @param name the relative path with slashes; also the object's key below the demo's folder
 */
record DemoFile(String name, Path path, long size) {
  DemoFile {
    requireNonNull(name, "name is null");
    requireNonNull(path, "path is null");
  }
}
