package dev.tarn.cluster.wire;

import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.ListObjects;
import dev.tarn.cluster.target.TargetRequest.ListUploads;
import dev.tarn.cluster.target.TargetRequest.ListVersions;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import dev.tarn.cluster.target.UploadRequest.Abort;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CopyPart;
import dev.tarn.cluster.target.UploadRequest.ListParts;
import dev.tarn.cluster.target.UploadRequest.PutPart;

/**
 * The wire form of requests: format version, the operation's tag, its fields. A tag is never given
 * a second meaning.
 */
public final class RequestCodec {
  /** The most bytes of an encoded request: a completion of as many parts as there can be. */
  public static final int BYTES_MAX = 4 << 20;

  private static final int GET = 1;
  private static final int HEAD = 2;
  private static final int PUT = 3;
  private static final int DELETE = 4;
  private static final int COPY = 5;
  private static final int SET_TAGS = 6;
  private static final int LIST_OBJECTS = 7;
  private static final int CREATE_UPLOAD = 8;
  private static final int PUT_PART = 9;
  private static final int COPY_PART = 10;
  private static final int COMPLETE = 11;
  private static final int ABORT = 12;
  private static final int LIST_PARTS = 13;
  private static final int LIST_UPLOADS = 14;
  private static final int LIST_VERSIONS = 15;
  private static final int SET_ACL = 16;

  private RequestCodec() {}

  /** The request's wire form. */
  public static byte[] encode(TargetRequest<?> request) {
    return WireMessage.encode(RequestCodec::write, request);
  }

  /**
   * Reads a request.
   *
   * @throws WireException if it is malformed or of another version
   */
  public static TargetRequest<?> decode(byte[] message) throws WireException {
    return WireMessage.decode(message, "request", RequestCodec::read);
  }

  private static void write(WireWriter out, TargetRequest<?> request) {
    out.writeByte(operationTag(request));
    if (!writeOfObject(out, request) && !writeOfUpload(out, request)) {
      throw new IllegalArgumentException("no wire form for " + request.getClass().getName());
    }
  }

  private static boolean writeOfObject(WireWriter out, TargetRequest<?> request) {
    if (request instanceof Get get) {
      ObjectRequestFields.writeGet(out, get);
    } else if (request instanceof Head head) {
      ObjectRequestFields.writeHead(out, head);
    } else if (request instanceof Put put) {
      ObjectRequestFields.writePut(out, put);
    } else if (request instanceof Delete delete) {
      ObjectRequestFields.writeDelete(out, delete);
    } else if (request instanceof Copy copy) {
      ObjectRequestFields.writeCopy(out, copy);
    } else if (request instanceof SetTags setTags) {
      ObjectRequestFields.writeSetTags(out, setTags);
    } else if (request instanceof SetAcl setAcl) {
      ObjectRequestFields.writeSetAcl(out, setAcl);
    } else if (request instanceof ListObjects listObjects) {
      ObjectRequestFields.writeListObjects(out, listObjects);
    } else if (request instanceof ListVersions listVersions) {
      ObjectRequestFields.writeListVersions(out, listVersions);
    } else {
      return false;
    }
    return true;
  }

  private static boolean writeOfUpload(WireWriter out, TargetRequest<?> request) {
    if (request instanceof CreateUpload createUpload) {
      UploadRequestFields.writeCreateUpload(out, createUpload);
    } else if (request instanceof PutPart putPart) {
      UploadRequestFields.writePutPart(out, putPart);
    } else if (request instanceof CopyPart copyPart) {
      UploadRequestFields.writeCopyPart(out, copyPart);
    } else if (request instanceof Complete complete) {
      UploadRequestFields.writeComplete(out, complete);
    } else if (request instanceof Abort abort) {
      UploadRequestFields.writeAbort(out, abort);
    } else if (request instanceof ListParts listParts) {
      UploadRequestFields.writeListParts(out, listParts);
    } else if (request instanceof ListUploads listUploads) {
      UploadRequestFields.writeListUploads(out, listUploads);
    } else {
      return false;
    }
    return true;
  }

  /** What stands for the operation on the wire and in capabilities. */
  public static int operationTag(TargetRequest<?> request) {
    if (request instanceof Get) {
      return GET;
    }
    if (request instanceof Head) {
      return HEAD;
    }
    if (request instanceof Put) {
      return PUT;
    }
    if (request instanceof Delete) {
      return DELETE;
    }
    if (request instanceof Copy) {
      return COPY;
    }
    if (request instanceof SetTags) {
      return SET_TAGS;
    }
    if (request instanceof SetAcl) {
      return SET_ACL;
    }
    if (request instanceof ListObjects) {
      return LIST_OBJECTS;
    }
    if (request instanceof CreateUpload) {
      return CREATE_UPLOAD;
    }
    if (request instanceof PutPart) {
      return PUT_PART;
    }
    if (request instanceof CopyPart) {
      return COPY_PART;
    }
    if (request instanceof Complete) {
      return COMPLETE;
    }
    if (request instanceof Abort) {
      return ABORT;
    }
    if (request instanceof ListParts) {
      return LIST_PARTS;
    }
    if (request instanceof ListUploads) {
      return LIST_UPLOADS;
    }
    if (request instanceof ListVersions) {
      return LIST_VERSIONS;
    }
    throw new IllegalArgumentException("no tag for " + request.getClass().getName());
  }

  private static TargetRequest<?> read(WireReader in) throws WireException {
    int tag = in.readByte();
    return switch (tag) {
      case GET -> ObjectRequestFields.readGet(in);
      case HEAD -> ObjectRequestFields.readHead(in);
      case PUT -> ObjectRequestFields.readPut(in);
      case DELETE -> ObjectRequestFields.readDelete(in);
      case COPY -> ObjectRequestFields.readCopy(in);
      case SET_TAGS -> ObjectRequestFields.readSetTags(in);
      case SET_ACL -> ObjectRequestFields.readSetAcl(in);
      case LIST_OBJECTS -> ObjectRequestFields.readListObjects(in);
      case CREATE_UPLOAD -> UploadRequestFields.readCreateUpload(in);
      case PUT_PART -> UploadRequestFields.readPutPart(in);
      case COPY_PART -> UploadRequestFields.readCopyPart(in);
      case COMPLETE -> UploadRequestFields.readComplete(in);
      case ABORT -> UploadRequestFields.readAbort(in);
      case LIST_PARTS -> UploadRequestFields.readListParts(in);
      case LIST_UPLOADS -> UploadRequestFields.readListUploads(in);
      case LIST_VERSIONS -> ObjectRequestFields.readListVersions(in);
      default -> throw in.at("operation has the tag " + tag + ", which is unknown here");
    };
  }
}
