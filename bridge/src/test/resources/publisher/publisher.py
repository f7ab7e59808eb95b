#!/usr/bin/python3
"""Publishes KV events as vLLM does, with faults, and says in the end what is in the cache.

An independent implementation: nothing here is shared with what is tested. Each rank has a PUB and a
ROUTER socket; what is published stays to be replayed until the rank restarts. Faults: messages that
are not published, alone and in a row, copies at once and later, restarts with and without new
connections.

Speaks on stdout, one JSON object a line: the ports; before each restart how many messages there were
so far; where the truth lies. Told on stdin: "go", to begin and to go on with a restart, and the end
of the file to end.
"""
import argparse
import json
import random
import select
import struct
import sys
import time

import msgpack
import zmq

END = struct.pack(">q", -1)


class Block:
    __slots__ = ("number", "key", "parent", "tokens", "root", "refs", "children")

    def __init__(self, number, key, parent, tokens, root):
        self.number = number
        self.key = key
        self.parent = parent
        self.tokens = tokens
        self.root = root
        self.refs = {"GPU": 0, "CPU": 0}
        self.children = 0


class Cache:
    """The blocks of one rank, and events that change them."""

    ROOTS = [("", None), ("", None), ("", None), ("tenant-a", None), ("", "sql-lora"), ("tenant-b", "sql-lora")]

    def __init__(self, rng, block_tokens, capacity, maps):
        self.rng = rng
        self.block_tokens = block_tokens
        self.capacity = capacity
        self.maps = maps
        self.numbers = 0
        self.forget()

    def forget(self):
        self.blocks = []
        self.where = {}

    def _key(self):
        return self.rng.randbytes(32) if self.maps else self.rng.getrandbits(64)

    def _add(self, block):
        self.where[block] = len(self.blocks)
        self.blocks.append(block)

    def _drop(self, block):
        at = self.where.pop(block)
        last = self.blocks.pop()
        if last is not block:
            self.blocks[at] = last
            self.where[last] = at
        if block.parent is not None:
            block.parent.children -= 1

    def event(self):
        rng = self.rng
        choice = rng.random()
        if len(self.blocks) > self.capacity or (choice < 0.45 and self.blocks):
            event = self.remove()
            if event is not None:
                return event
        if choice < 0.50 and self.blocks:
            return self.store_again()
        if choice < 0.50005 and self.blocks:
            self.forget()
            return self.encode("AllBlocksCleared", [])
        return self.store()

    def store(self):
        rng = self.rng
        parent = None
        if self.blocks and rng.random() < 0.8:
            parent = rng.choice(self.blocks)
        root = parent.root if parent is not None else rng.choice(self.ROOTS)
        made = []
        first_parent = parent
        for _ in range(rng.randint(1, 4)):
            tokens = [rng.randrange(150000) for _ in range(self.block_tokens)]
            block = Block(self.numbers, self._key(), parent, tokens, root)
            self.numbers += 1
            block.refs["GPU"] = 1
            if parent is not None:
                parent.children += 1
            self._add(block)
            made.append(block)
            parent = block
        return self.stored(made, first_parent, "GPU")

    def store_again(self):
        """A copy of a block on the GPU, or one in the other medium."""
        block = self.rng.choice(self.blocks)
        medium = "GPU" if self.rng.random() < 0.3 else "CPU"
        block.refs[medium] += 1
        return self.stored([block], block.parent, medium)

    def remove(self):
        for _ in range(8):
            block = self.rng.choice(self.blocks)
            media = [m for m in block.refs if block.refs[m] > 0]
            last = sum(block.refs.values()) == 1
            if last and block.children > 0:
                continue
            medium = self.rng.choice(media)
            block.refs[medium] -= 1
            if last:
                self._drop(block)
            return self.encode("BlockRemoved", [("block_hashes", [block.key]), ("medium", medium)])
        return None

    def stored(self, blocks, parent, medium):
        salt, lora = blocks[0].root
        keys = []
        for block in blocks:
            key = [lora] if lora else []
            if block.parent is None and salt:
                key.append(salt)
            keys.append(key or None)
        return self.encode(
            "BlockStored",
            [
                ("block_hashes", [b.key for b in blocks]),
                ("parent_block_hash", parent.key if parent is not None else None),
                ("token_ids", [t for b in blocks for t in b.tokens]),
                ("block_size", self.block_tokens),
                ("lora_id", 1 if lora else None),
                ("medium", medium),
                ("lora_name", lora),
                ("extra_keys", keys),
            ],
        )

    def encode(self, kind, fields):
        if self.maps:
            return dict([("type", kind)] + fields)
        return [kind] + [value for _, value in fields]

    def truth(self):
        ordered = sorted(self.blocks, key=lambda b: b.number)
        return [
            {
                "id": b.number,
                "parent": b.parent.number if b.parent is not None else None,
                "salt": b.root[0],
                "lora": b.root[1] or "",
                "tokens": b.tokens,
                "media": [m.lower() for m in b.refs if b.refs[m] > 0],
            }
            for b in ordered
        ]


class Rank:
    """One publisher: its timeline is made before it is sent, so that sending is fast."""

    def __init__(self, context, rank, events, restarts, rng, options):
        self.context = context
        self.rank = rank
        self.rng = rng
        self.options = options
        self.cache = Cache(rng, options.block_tokens, options.capacity, maps=rank % 2 == 1)
        self.timeline = []
        self.events = events
        self._make(restarts)
        self.at = 0
        self.messages = 0
        self.silent = 0
        self.kept = []
        self.pub = self.router = None
        self.pub_port = self.router_port = None
        self.bind()

    def _make(self, restarts):
        made = 0
        clock = time.time()
        bounds = [self.events * (i + 1) // (restarts + 1) for i in range(restarts)]
        while made < self.events:
            if bounds and made >= bounds[0]:
                bounds.pop(0)
                self.timeline.append(None)
                self.cache.forget()
            n = self.rng.randint(1, 2 * self.options.batch - 1)
            events = [self.cache.event() for _ in range(n)]
            made += n
            clock += 1e-5
            if self.cache.maps:
                batch = {"ts": clock, "events": events, "data_parallel_rank": self.rank}
            else:
                batch = [clock, events, self.rank]
            self.timeline.append(msgpack.packb(batch))
        self.made = made

    def bind(self):
        self.pub = self.context.socket(zmq.PUB)
        self.pub.set_hwm(0)
        self.router = self.context.socket(zmq.ROUTER)
        for name, socket in (("pub_port", self.pub), ("router_port", self.router)):
            socket.setsockopt(zmq.LINGER, 0)
            port = getattr(self, name)
            while True:
                try:
                    socket.bind("tcp://127.0.0.1:%s" % (port or "*"))
                    break
                except zmq.ZMQError:
                    time.sleep(0.01)
            setattr(self, name, int(socket.getsockopt(zmq.LAST_ENDPOINT).decode().rstrip("\0").rsplit(":", 1)[1]))

    def restart(self):
        self.at += 1
        self.kept = []
        if self.rng.random() < 0.5:
            self.pub.close(linger=0)
            self.router.close(linger=0)
            self.bind()

    def step(self, messages):
        """Publishes the next messages, up to a restart."""
        for _ in range(messages):
            if self.ended() or self.restarts():
                return
            payload = self.timeline[self.at]
            self.at += 1
            self.messages += 1
            seq = len(self.kept)
            self.kept.append(payload)
            chance = self.rng.random()
            if chance < 0.0005:
                self.silent = 50
            if self.silent > 0:
                self.silent -= 1
            elif chance < 0.998:
                self.send(seq)
                if chance > 0.996:
                    self.send(seq)
                if chance > 0.9975:
                    self.send(max(0, seq - self.rng.randint(1, 100)))

    def ended(self):
        return self.at == len(self.timeline)

    def restarts(self):
        return not self.ended() and self.timeline[self.at] is None

    def send(self, seq):
        self.pub.send_multipart((b"kv-events", struct.pack(">q", seq), self.kept[seq]))

    def serve(self):
        while self.router.poll(0):
            frames = self.router.recv_multipart()
            if len(frames) != 3:
                continue
            client, _, start = frames
            (start,) = struct.unpack(">q", start)
            for seq in range(start, len(self.kept)):
                self.answer(client, struct.pack(">q", seq), self.kept[seq])
            self.answer(client, END, b"")

    def answer(self, client, seq, payload):
        topic = (b"kv-events",) if self.rank % 2 == 1 else ()
        self.router.send_multipart((client, b"") + topic + (seq, payload))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--restarts", type=int, default=3)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--block-tokens", type=int, default=4)
    parser.add_argument("--capacity", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--truth", required=True)
    options = parser.parse_args()
    context = zmq.Context()
    ranks = [
        Rank(context, i, options.events // options.ranks, options.restarts, random.Random(options.seed + i), options)
        for i in range(options.ranks)
    ]
    # What is published before anyone listens can only be had by replay.
    for rank in ranks:
        rank.step(20)
    say({"publishers": [{"events": r.pub_port, "replay": r.router_port} for r in ranks]})
    going = False
    while True:
        for rank in ranks:
            rank.serve()
        if going:
            for rank in ranks:
                rank.step(64)
            if any(rank.restarts() for rank in ranks):
                say({"restarting": True, "messages": sum(rank.messages for rank in ranks)})
                going = False
            elif all(rank.ended() for rank in ranks):
                with open(options.truth, "w") as out:
                    json.dump([rank.cache.truth() for rank in ranks], out)
                say({"messages": sum(rank.messages for rank in ranks), "events": sum(r.made for r in ranks)})
                going = False
        elif select.select([sys.stdin], [], [], 0.001)[0]:
            if not sys.stdin.readline():
                return
            for rank in ranks:
                if rank.restarts():
                    rank.restart()
            going = True


def say(what):
    print(json.dumps(what), flush=True)


main()
