import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.VersionInfo;

/**
 * One user's day with hadoop-aws: create, list, rename and delete through a FileSystem, and a file in parts. The bucket
 * is there already, as S3A makes none.
 */
public final class S3aDay {
  private final FileSystem files;
  private final org.apache.hadoop.fs.Path root;
  private final Path input;

  private S3aDay(FileSystem files, org.apache.hadoop.fs.Path root, Path input) {
    this.files = files;
    this.root = root;
    this.input = input;
  }

  public static void main(String[] args) throws Exception {
    Map<String, String> environment = System.getenv();
    System.out.println("version: hadoop-aws " + VersionInfo.getVersion());
    System.out.println(
        "note: no presign; boto3 makes and removes the bucket; its condition is create without overwrite");
    Configuration configuration = new Configuration();
    configuration.set("fs.s3a.endpoint", environment.get("ENDPOINT"));
    configuration.set("fs.s3a.endpoint.region", "us-east-1");
    configuration.set("fs.s3a.path.style.access", "true");
    configuration.set("fs.s3a.access.key", environment.get("AWS_ACCESS_KEY_ID"));
    configuration.set("fs.s3a.secret.key", environment.get("AWS_SECRET_ACCESS_KEY"));
    configuration.set("fs.s3a.multipart.size", "8M");
    configuration.set("fs.s3a.multipart.threshold", "8M");
    configuration.set("fs.s3a.buffer.dir", environment.get("WORK"));
    URI bucket = URI.create("s3a://" + environment.get("BUCKET"));
    try (FileSystem files = FileSystem.newInstance(bucket, configuration)) {
      org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(bucket + "/");
      new S3aDay(files, root, Path.of(environment.get("INPUT"))).spend();
    }
  }

  private void spend() throws IOException {
    copyTree();
    createInParts();
    renameAndOverwrite();
    createUnderCondition();
    delete();
  }

  private org.apache.hadoop.fs.Path at(String name) {
    return new org.apache.hadoop.fs.Path(root, name);
  }

  private void copyTree() throws IOException {
    Path tree = input.resolve("tree");
    Map<String, Path> sources = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(tree)) {
      walk.filter(Files::isRegularFile)
          .forEach(file -> sources.put(tree.relativize(file).toString(), file));
    }
    for (Map.Entry<String, Path> source : sources.entrySet()) {
      write(at("tree/" + source.getKey()), source.getValue());
    }
    Map<String, Long> listed = list(at("tree"));
    check(listed.keySet().equals(sources.keySet()), "listed " + listed.keySet());
    for (Map.Entry<String, Path> source : sources.entrySet()) {
      byte[] bytes = Files.readAllBytes(source.getValue());
      check(listed.get(source.getKey()) == bytes.length, "length of " + source.getKey());
      check(Arrays.equals(read(at("tree/" + source.getKey())), bytes), "bytes of " + source.getKey());
    }
  }

  private void write(org.apache.hadoop.fs.Path to, Path from) throws IOException {
    try (OutputStream out = files.create(to, true)) {
      Files.copy(from, out);
    }
  }

  private byte[] read(org.apache.hadoop.fs.Path path) throws IOException {
    try (FSDataInputStream in = files.open(path)) {
      return in.readAllBytes();
    }
  }

  private Map<String, Long> list(org.apache.hadoop.fs.Path folder) throws IOException {
    Map<String, Long> found = new TreeMap<>();
    String prefix = folder.toUri().getPath() + "/";
    RemoteIterator<LocatedFileStatus> all = files.listFiles(folder, true);
    while (all.hasNext()) {
      FileStatus file = all.next();
      found.put(file.getPath().toUri().getPath().substring(prefix.length()), file.getLen());
    }
    return found;
  }

  private void createInParts() throws IOException {
    Path large = input.resolve("large");
    write(at("large"), large);
    byte[] bytes = Files.readAllBytes(large);
    check(files.getFileStatus(at("large")).getLen() == bytes.length, "length of large");
    check(Arrays.equals(read(at("large")), bytes), "bytes of large");
    int middle = bytes.length / 2 + 7;
    byte[] part = new byte[1000];
    try (FSDataInputStream in = files.open(at("large"))) {
      in.readFully(middle, part);
      in.seek(10);
      check(in.read() == (bytes[10] & 0xff), "a byte after seek");
    }
    check(Arrays.equals(part, Arrays.copyOfRange(bytes, middle, middle + part.length)), "a range of large");
  }

  private void renameAndOverwrite() throws IOException {
    int count = list(at("tree")).size();
    check(files.rename(at("tree"), at("renamed tree")), "rename of a folder");
    check(list(at("renamed tree")).size() == count, "what was renamed");
    check(!files.exists(at("tree")), "the folder that was renamed");
    byte[] before = read(at("large"));
    check(files.rename(at("large"), at("moved-large")), "rename of a file");
    check(Arrays.equals(read(at("moved-large")), before), "bytes after a rename");
    try (OutputStream out = files.create(at("moved-large"), true)) {
      out.write("other".getBytes());
    }
    check(new String(read(at("moved-large"))).equals("other"), "what was overwritten");
  }

  private void createUnderCondition() throws IOException {
    try {
      files.create(at("moved-large"), false).close();
    } catch (FileAlreadyExistsException e) {
      return;
    }
    check(false, "create without overwrite was to fail");
  }

  private void delete() throws IOException {
    check(files.mkdirs(at("empty folder")), "mkdirs");
    check(files.getFileStatus(at("empty folder")).isDirectory(), "an empty folder");
    for (FileStatus entry : List.of(files.listStatus(root))) {
      check(files.delete(entry.getPath(), true), "delete of " + entry.getPath());
    }
    check(files.listStatus(root).length == 0, "nothing left");
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
