package dev.tarn.sharder.source.open;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.source.DirectorySource;
import dev.tarn.sharder.source.LocalPaths;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.StorageSource;
import dev.tarn.sharder.source.archive.Archives;
import dev.tarn.sharder.source.dataset.DatasetSource;
import dev.tarn.sharder.source.list.ListSource;
import dev.tarn.sharder.source.range.SharedReads;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Opens sources; the name of a source determines its kind. Closing this object closes them. */
public final class OpenSources implements Closeable {
  private static final Pattern LIST =
      Pattern.compile("(?i).*\\.(?:txt|lst|jsonl|ndjson|csv|tsv)", Pattern.DOTALL);

  private final SharedReads reads;
  private final List<Source> sources;

  private OpenSources(SharedReads reads, List<Source> sources) {
    this.reads = reads;
    this.sources = List.copyOf(sources);
  }

  /**
   * Opens sources.
   *
   * @param urls of directories, archives, lists, datasets' manifests, or folders of any storage
   */
  public static OpenSources open(Storage storage, List<StorageUrl> urls, SourceOptions options)
      throws IOException {
    SharedReads reads = SharedReads.open();
    Archives archives = new Archives(storage, options, reads);
    List<Source> sources = new ArrayList<>();
    boolean opened = false;
    try {
      for (StorageUrl url : urls) {
        sources.add(open(storage, url, options, reads, archives));
      }
      opened = true;
      return new OpenSources(reads, sources);
    } finally {
      if (!opened) {
        new OpenSources(reads, sources).close();
      }
    }
  }

  /** Returns whether all files of a source are local; the files of a list may be remote. */
  public static boolean isLocal(StorageUrl url) {
    return url.scheme() == StorageUrl.Scheme.FILE && !isList(url);
  }

  /** Returns whether a source is a list of files, by its name. */
  public static boolean isList(StorageUrl url) {
    return LIST.matcher(url.name()).matches();
  }

  private static Source open(
      Storage storage, StorageUrl url, SourceOptions options, SharedReads reads, Archives archives)
      throws IOException {
    boolean local = url.scheme() == StorageUrl.Scheme.FILE;
    if (local && Files.isDirectory(LocalPaths.of(url))) {
      return directory(url, options);
    }
    if (url.name().equals(DatasetManifest.FILE_NAME)) {
      return DatasetSource.open(storage, url, reads, options);
    }
    if (Archives.isArchive(url)) {
      return archives.open(url);
    }
    if (isList(url)) {
      return new ListSource(storage, url, options);
    }
    return local ? directory(url, options) : new StorageSource(storage, url);
  }

  private static DirectorySource directory(StorageUrl url, SourceOptions options) {
    return new DirectorySource(url, options.takesHidden(), options.faults(), options.notices());
  }

  /**
   * Returns views of the sources with only the files that pass the filter; closing this object
   * closes the sources.
   */
  public List<Source> filtered(Predicate<String> filter) {
    return sources.stream().<Source>map(source -> SourceView.filtered(source, filter)).toList();
  }

  /** Returns the sources in the order in which the user named them. */
  public List<Source> all() {
    return sources;
  }

  @Override
  public void close() throws IOException {
    try (reads) {
      close(sources);
    }
  }

  /** Closes all sources, even if one of them fails to close. */
  private static void close(Iterable<Source> sources) throws IOException {
    IOException failure = null;
    for (Source source : sources) {
      try {
        source.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
