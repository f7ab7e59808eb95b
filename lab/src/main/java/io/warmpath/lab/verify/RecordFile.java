package io.warmpath.lab.verify;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** Keys and values in a file, one after the other. */
final class RecordFile implements AutoCloseable {

  /** Told of each record where its value lies. */
  interface Visitor {
    void record(String key, long position) throws IOException;
  }

  private final Path path;
  private final FileChannel channel;

  private RecordFile(Path path) throws IOException {
    this.path = path;
    this.channel = FileChannel.open(path, StandardOpenOption.READ);
  }

  /** Opens a file to read what a {@link Writer} wrote. */
  static RecordFile open(Path path) throws IOException {
    return new RecordFile(path);
  }

  /** Bytes in all files of a folder. */
  static long bytesIn(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look into " + folder, e);
    }
  }

  /** Visits all records in their order. */
  void visit(Visitor visitor) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 16))) {
      long position = 0;
      long size = channel.size();
      while (position < size) {
        byte[] key = new byte[in.readInt()];
        in.readFully(key);
        position += Integer.BYTES + key.length;
        visitor.record(new String(key, StandardCharsets.UTF_8), position);
        int length = in.readInt();
        in.skipNBytes(length);
        position += Integer.BYTES + length;
      }
    }
  }

  /** The value at a position. */
  byte[] value(long position) throws IOException {
    ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
    fill(length, position);
    ByteBuffer value = ByteBuffer.allocate(length.getInt());
    fill(value, position + Integer.BYTES);
    return value.array();
  }

  private void fill(ByteBuffer buffer, long position) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, position + buffer.position()) < 0) {
        throw new IOException(path + " ends at " + channel.size());
      }
    }
    buffer.flip();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /** Writes such a file from its beginning. */
  static final class Writer implements AutoCloseable {

    private final DataOutputStream out;

    Writer(Path path) throws IOException {
      out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(path), 1 << 16));
    }

    void write(String key, byte[] value) throws IOException {
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      out.writeInt(bytes.length);
      out.write(bytes);
      out.writeInt(value.length);
      out.write(value);
    }

    void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
