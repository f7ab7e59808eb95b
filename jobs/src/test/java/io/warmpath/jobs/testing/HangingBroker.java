package io.warmpath.jobs.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBrokerCollection;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopicCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;

/** Says that a topic holds records, and then never brings one. */
public final class HangingBroker implements AutoCloseable {

  private static final String HOST = "127.0.0.1";
  private static final int NODE = 1;
  private static final long RECORDS = 5;

  /** The last version of a fetch that calls topics by their names. */
  private static final short FETCH_BY_NAME = 12;

  private final String topic;
  private final ServerSocket server;
  private final Queue<Socket> clients = new ConcurrentLinkedQueue<>();

  /**
   * @param topic the one topic, of one partition
   */
  public HangingBroker(String topic) throws IOException {
    this.topic = topic;
    server = new ServerSocket(0, 50, InetAddress.getByName(HOST));
    daemon(this::accept);
  }

  public String bootstrapServers() {
    return HOST + ":" + server.getLocalPort();
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "hanging-broker");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        clients.add(client);
        daemon(() -> serve(client));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void serve(Socket client) {
    try {
      DataInputStream in = new DataInputStream(client.getInputStream());
      DataOutputStream out = new DataOutputStream(client.getOutputStream());
      while (true) {
        ByteBuffer request = ByteBuffer.wrap(in.readNBytes(in.readInt()));
        RequestHeader header = RequestHeader.parse(request);
        ApiMessage answer = answer(header, request);
        if (answer != null) {
          ByteBuffer bytes =
              RequestUtils.serialize(
                  header.toResponseHeader().data(),
                  header.toResponseHeader().headerVersion(),
                  answer,
                  header.apiVersion());
          out.writeInt(bytes.remaining());
          out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        }
      }
    } catch (IOException closed) {
      // The client left, or the test is over.
    }
  }

  /** Null for none. */
  private ApiMessage answer(RequestHeader header, ByteBuffer request) {
    return switch (header.apiKey()) {
      case API_VERSIONS -> versions();
      case METADATA -> metadata();
      case LIST_OFFSETS ->
          offsets(new ListOffsetsRequestData(new ByteBufferAccessor(request), header.apiVersion()));
      default -> null;
    };
  }

  private static ApiMessage versions() {
    ApiVersionCollection known = new ApiVersionCollection();
    for (ApiKeys key :
        List.of(ApiKeys.API_VERSIONS, ApiKeys.METADATA, ApiKeys.LIST_OFFSETS, ApiKeys.FETCH)) {
      known.add(
          new ApiVersion()
              .setApiKey(key.id)
              .setMinVersion(key.oldestVersion())
              .setMaxVersion(key == ApiKeys.FETCH ? FETCH_BY_NAME : key.latestVersion()));
    }
    return new ApiVersionsResponseData().setApiKeys(known);
  }

  private ApiMessage metadata() {
    MetadataResponseBrokerCollection brokers = new MetadataResponseBrokerCollection();
    brokers.add(
        new MetadataResponseBroker().setNodeId(NODE).setHost(HOST).setPort(server.getLocalPort()));
    MetadataResponseTopicCollection topics = new MetadataResponseTopicCollection();
    topics.add(
        new MetadataResponseTopic()
            .setName(topic)
            .setTopicId(Uuid.ZERO_UUID)
            .setPartitions(
                List.of(
                    new MetadataResponsePartition()
                        .setLeaderId(NODE)
                        .setLeaderEpoch(-1)
                        .setReplicaNodes(List.of(NODE))
                        .setIsrNodes(List.of(NODE)))));
    return new MetadataResponseData()
        .setBrokers(brokers)
        .setControllerId(NODE)
        .setClusterId("hanging")
        .setTopics(topics);
  }

  private static ApiMessage offsets(ListOffsetsRequestData request) {
    List<ListOffsetsTopicResponse> topics =
        request.topics().stream()
            .map(
                asked ->
                    new ListOffsetsTopicResponse()
                        .setName(asked.name())
                        .setPartitions(
                            asked.partitions().stream()
                                .map(
                                    partition ->
                                        new ListOffsetsPartitionResponse()
                                            .setPartitionIndex(partition.partitionIndex())
                                            .setOffset(offset(partition.timestamp())))
                                .toList()))
            .toList();
    return new ListOffsetsResponseData().setTopics(topics);
  }

  private static long offset(long timestamp) {
    return timestamp == ListOffsetsRequest.EARLIEST_TIMESTAMP ? 0 : RECORDS;
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket client : clients) {
      client.close();
    }
  }
}
