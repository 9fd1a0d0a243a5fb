package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Many clients of one thread, each of which sends or reads a byte at a time. */
final class SlowClients implements AutoCloseable {
  private static final int RECEIVE_BUFFER_BYTES = 4096;

  private final int port;
  private final Selector selector;
  private final List<Client> clients = new ArrayList<>();

  SlowClients(int port) throws IOException {
    this.port = port;
    this.selector = Selector.open();
  }

  /** A client; what it receives is kept. */
  final class Client implements AutoCloseable {
    private final SocketChannel channel;
    private final ByteBuffer toSend;
    private final boolean reads;
    private final StringBuilder received = new StringBuilder();
    private boolean ended;

    Client(String text, int sentAtOnce, boolean reads) throws IOException {
      channel = SocketChannel.open();
      channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      toSend = ByteBuffer.wrap(text.getBytes(ISO_8859_1));
      this.reads = reads;
      channel.write(toSend.duplicate().limit(sentAtOnce));
      toSend.position(sentAtOnce);
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** Sends all but the last byte that it has to send, a byte of it at a time. */
    private void step() throws IOException {
      if (!ended && toSend.remaining() > 1) {
        channel.write(toSend.slice(toSend.position(), 1));
        toSend.get();
      }
    }

    /** Sends the rest of the request. */
    void sendRest() throws IOException {
      channel.configureBlocking(false);
      while (toSend.hasRemaining()) {
        channel.write(toSend);
      }
    }

    private void receive() throws IOException {
      ByteBuffer one = ByteBuffer.allocate(reads ? 1 : RECEIVE_BUFFER_BYTES);
      int count = channel.read(one);
      if (count < 0) {
        ended = true;
        channel.keyFor(selector).cancel();
      } else {
        received.append(ISO_8859_1.decode(one.flip()));
      }
    }

    /** What the server has sent so far. */
    String received() {
      return received.toString();
    }

    /** Whether the server has closed the connection. */
    boolean ended() {
      return ended;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /**
   * Connects a client.
   *
   * @param text the request
   * @param sentAtOnce how many bytes of it are sent immediately
   */
  Client sender(String text, int sentAtOnce) throws IOException {
    return add(new Client(text, sentAtOnce, false));
  }

  /** Connects a client that sends a request, and reads its answer a byte at a time. */
  Client reader(String text) throws IOException {
    return add(new Client(text, text.length(), true));
  }

  private Client add(Client client) {
    clients.add(client);
    return client;
  }

  /** Every client sends one byte, and reads what it reads at a time. */
  void round() throws IOException {
    for (Client client : clients) {
      client.step();
    }
    receive();
  }

  private void receive() throws IOException {
    selector.selectNow(key -> {
      try {
        ((Client) key.attachment()).receive();
      } catch (IOException reset) {
        ((Client) key.attachment()).ended = true;
        key.cancel();
      }
    });
  }

  @Override
  public void close() throws IOException {
    for (Client client : clients) {
      client.close();
    }
    selector.close();
  }
}
