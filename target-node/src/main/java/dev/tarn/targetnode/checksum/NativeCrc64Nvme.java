package dev.tarn.targetnode.checksum;

import dev.tarn.cluster.checksum.Crc64NvmeProvider;
import java.util.zip.Checksum;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.crt.checksums.CRC64NVME;

/** CRC64NVME by the native code of aws-crt, where that runs. */
public final class NativeCrc64Nvme implements Crc64NvmeProvider {
  private static final Logger LOG = LoggerFactory.getLogger(NativeCrc64Nvme.class);

  @Override
  public boolean isAvailable() {
    try {
      new CRC64NVME().update(0);
      return true;
    } catch (LinkageError | RuntimeException e) {
      LOG.info("CRC64NVME is computed in Java, as aws-crt does not run here: {}", e.toString());
      return false;
    }
  }

  @Override
  public Checksum start() {
    return new ArrayFedChecksum(new CRC64NVME());
  }
}
