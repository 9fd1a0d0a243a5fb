package dev.tarn.benchmarks.server;

import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * The configuration of nginx.
 *
 * <p>Answers up to 128 KiB are corked: head and body share a packet. Larger ones are sent uncorked
 * in steps of 256 KiB, which costs nginx a third less CPU than its default.
 */
final class NginxConfiguration {
  private static final long CORKED_BYTES_MAX = 128 * 1024;

  /** Buffers for a whole answer of the larger sizes, for large writes to the client. */
  private static final String PROXY_BUFFERS =
      "proxy_buffering on; proxy_buffer_size 64k; proxy_buffers 16 64k;"
          + " proxy_busy_buffers_size 256k;";

  private NginxConfiguration() {}

  /** Serves the files of a folder. */
  static String files(Path scratch, InetSocketAddress address, Path files, long fileBytes) {
    String sending =
        fileBytes <= CORKED_BYTES_MAX
            ? "tcp_nopush on;"
            : "tcp_nopush off; sendfile_max_chunk 256k;";
    return render(scratch, "sendfile on; " + sending, "", address, "root " + files + ";");
  }

  /**
   * Proxies all requests to another server over persistent connections; buffers nothing on disk.
   */
  static String proxy(Path scratch, InetSocketAddress address, InetSocketAddress upstream) {
    String group =
        """
        upstream files {
          server 127.0.0.1:%d;
          keepalive 128;
          keepalive_requests 1000000000;
        }
        """
            .formatted(upstream.getPort());
    String location =
        """
        location / {
          proxy_pass http://files;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_max_temp_file_size 0;
          %s
        }
        """
            .formatted(PROXY_BUFFERS);
    return render(scratch, "tcp_nopush off;", group, address, location);
  }

  private static String render(
      Path scratch, String sending, String upstream, InetSocketAddress address, String location) {
    // A master that runs as root would run its worker as a user without access to the files.
    String user = System.getProperty("user.name").equals("root") ? "user root;" : "";
    return """
    daemon off;
    %1$s
    worker_processes 1;
    pid %2$s/nginx.pid;
    error_log %2$s/error.log;
    events { worker_connections 4096; }
    http {
      access_log off;
      keepalive_requests 1000000000;
      keepalive_timeout 600s;
      %3$s
      client_body_temp_path %2$s/body;
      proxy_temp_path %2$s/proxy;
      fastcgi_temp_path %2$s/fastcgi;
      uwsgi_temp_path %2$s/uwsgi;
      scgi_temp_path %2$s/scgi;
      default_type application/octet-stream;
      %4$s
      server {
        listen 127.0.0.1:%5$d;
        %6$s
      }
    }
    """
        .formatted(user, scratch, sending, upstream, address.getPort(), location);
  }
}
