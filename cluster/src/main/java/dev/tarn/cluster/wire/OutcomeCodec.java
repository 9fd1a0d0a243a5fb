package dev.tarn.cluster.wire;

import static java.util.Map.entry;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Aborted;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.cluster.target.VersionPage;
import java.util.Map;

/**
 * The wire form of the outcomes of one kind of operation: format version, a tag, the value or the
 * failure.
 *
 * @param <T> what a success carries
 */
public final class OutcomeCodec<T> {
  /** The most bytes of an encoded outcome: the metadata of an object of the most parts. */
  public static final int BYTES_MAX = 16 << 20;

  /** Of get and head; the bytes that a get has read follow apart. */
  public static final OutcomeCodec<ObjectHead> HEAD =
      new OutcomeCodec<>(ResultFields::writeHead, ResultFields::readHead);

  /** Of put, copy, setTags, setAcl and complete. */
  public static final OutcomeCodec<ObjectMetadata> METADATA =
      new OutcomeCodec<>(ObjectFields::writeMetadata, ObjectFields::readMetadata);

  /** Of delete. */
  public static final OutcomeCodec<Deleted> DELETED =
      new OutcomeCodec<>(ResultFields::writeDeleted, ResultFields::readDeleted);

  /** Of listObjects. */
  public static final OutcomeCodec<ListPage> LIST_PAGE =
      new OutcomeCodec<>(PageFields::writeListPage, PageFields::readListPage);

  /** Of listVersions. */
  public static final OutcomeCodec<VersionPage> VERSION_PAGE =
      new OutcomeCodec<>(PageFields::writeVersionPage, PageFields::readVersionPage);

  /** Of createUpload. */
  public static final OutcomeCodec<String> UPLOAD_ID =
      new OutcomeCodec<>(WireWriter::writeText, WireReader::readText);

  /** Of putPart and copyPart. */
  public static final OutcomeCodec<ObjectPart> PART =
      new OutcomeCodec<>(ObjectFields::writePart, ObjectFields::readPart);

  /** Of abort. */
  public static final OutcomeCodec<Aborted> ABORTED =
      new OutcomeCodec<>((out, aborted) -> {}, in -> new Aborted());

  /** Of listParts. */
  public static final OutcomeCodec<PartPage> PART_PAGE =
      new OutcomeCodec<>(PageFields::writePartPage, PageFields::readPartPage);

  /** Of listUploads. */
  public static final OutcomeCodec<UploadPage> UPLOAD_PAGE =
      new OutcomeCodec<>(PageFields::writeUploadPage, PageFields::readUploadPage);

  private static final Map<Class<?>, OutcomeCodec<?>> BY_REQUEST =
      Map.ofEntries(
          entry(TargetRequest.Head.class, HEAD),
          entry(TargetRequest.Put.class, METADATA),
          entry(TargetRequest.Delete.class, DELETED),
          entry(TargetRequest.Copy.class, METADATA),
          entry(TargetRequest.SetTags.class, METADATA),
          entry(TargetRequest.SetAcl.class, METADATA),
          entry(TargetRequest.ListObjects.class, LIST_PAGE),
          entry(TargetRequest.ListVersions.class, VERSION_PAGE),
          entry(TargetRequest.CreateUpload.class, UPLOAD_ID),
          entry(TargetRequest.ListUploads.class, UPLOAD_PAGE),
          entry(UploadRequest.PutPart.class, PART),
          entry(UploadRequest.CopyPart.class, PART),
          entry(UploadRequest.Complete.class, METADATA),
          entry(UploadRequest.Abort.class, ABORTED),
          entry(UploadRequest.ListParts.class, PART_PAGE));

  private static final int SUCCESS = 0;
  private static final int FAILED = 1;

  private final WireWriter.Field<T> writer;
  private final WireReader.Field<T> reader;

  private OutcomeCodec(WireWriter.Field<T> writer, WireReader.Field<T> reader) {
    this.writer = writer;
    this.reader = reader;
  }

  /** The codec of what this request returns; a get has {@link #HEAD} and its bytes instead. */
  @SuppressWarnings("unchecked") // the table pairs each request with the codec of its result
  public static <R> OutcomeCodec<R> of(TargetRequest<R> request) {
    return (OutcomeCodec<R>)
        requireNonNull(
            BY_REQUEST.get(request.getClass()), () -> "no codec for " + request.getClass());
  }

  /** A failure's wire form, which is the same whatever was asked. */
  public static byte[] encodeFailure(Failure failure) {
    return HEAD.encode(Outcome.failed(failure));
  }

  /** The outcome's wire form. */
  public byte[] encode(Outcome<T> outcome) {
    return WireMessage.encode(this::write, outcome);
  }

  /**
   * Reads an outcome.
   *
   * @throws WireException if it is malformed or of another version
   */
  public Outcome<T> decode(byte[] message) throws WireException {
    return WireMessage.decode(message, "outcome", this::read);
  }

  private void write(WireWriter out, Outcome<T> outcome) {
    if (outcome instanceof Outcome.Success<T> success) {
      out.writeByte(SUCCESS);
      writer.write(out, success.value());
    } else {
      out.writeByte(FAILED);
      FailureFields.write(out, ((Outcome.Failed<T>) outcome).failure());
    }
  }

  private Outcome<T> read(WireReader in) throws WireException {
    int tag = in.readByte();
    return switch (tag) {
      case SUCCESS -> Outcome.success(reader.read(in));
      case FAILED -> Outcome.failed(FailureFields.read(in));
      default -> throw in.at("outcome has the tag " + tag + ", must be 0 or 1");
    };
  }
}
