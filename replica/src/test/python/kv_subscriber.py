"""A subscriber of KV events that shares no code with Warmpath.

kv_subscriber.py ENDPOINT REPLAY_ENDPOINT TOPIC: asks for all that was published so far, then
listens. Writes each message as one line of JSON; bytes are written as hex.
"""

import json
import sys

import msgpack
import zmq


def show(kind, seq, payload, topic=None):
    batch = msgpack.unpackb(payload) if payload else None
    line = {
        "kind": kind,
        "topic": topic,
        "seq": int.from_bytes(seq, "big", signed=True),
        "batch": batch,
    }
    print(json.dumps(line, default=bytes.hex), flush=True)


def main():
    endpoint, replay_endpoint, topic = sys.argv[1:]
    context = zmq.Context()
    live = context.socket(zmq.SUB)
    live.connect(endpoint)
    live.setsockopt_string(zmq.SUBSCRIBE, topic)
    replay = context.socket(zmq.DEALER)
    replay.connect(replay_endpoint)
    replay.send_multipart([b"", (0).to_bytes(8, "big")])
    while True:
        empty, seq, payload = replay.recv_multipart()
        assert empty == b""
        if not payload:
            show("end", seq, payload)
            break
        show("replayed", seq, payload)
    while True:
        topic, seq, payload = live.recv_multipart()
        show("live", seq, payload, topic.decode())


main()
