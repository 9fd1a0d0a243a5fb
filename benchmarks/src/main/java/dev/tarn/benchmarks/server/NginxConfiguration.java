package dev.tarn.benchmarks.server;

import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * What nginx is told.
 *
 * <p>Small answers go out corked, so that head and body share a packet; large ones uncorked in
 * steps of 256 KiB, which costs nginx a third less than its own default.
 */
final class NginxConfiguration {
  private static final long CORKED_BYTES_MAX = 128 * 1024;

  private NginxConfiguration() {}

  static String render(Path scratch, InetSocketAddress address, Path files, long fileBytes) {
    String sending =
        fileBytes <= CORKED_BYTES_MAX
            ? "tcp_nopush on;"
            : "tcp_nopush off; sendfile_max_chunk 256k;";
    // A master that runs as root changes the worker's user, to one that may not read our files.
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
      sendfile on;
      %3$s
      client_body_temp_path %2$s/body;
      proxy_temp_path %2$s/proxy;
      fastcgi_temp_path %2$s/fastcgi;
      uwsgi_temp_path %2$s/uwsgi;
      scgi_temp_path %2$s/scgi;
      default_type application/octet-stream;
      server {
        listen 127.0.0.1:%4$d;
        root %5$s;
      }
    }
    """
        .formatted(user, scratch, sending, address.getPort(), files);
  }
}
