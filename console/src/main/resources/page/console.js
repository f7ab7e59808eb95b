// The live page: follows the event stream and draws the chosen model through the chosen window.

import * as format from "./format.js";
import { cell, element, keyed, row, setText, setTitle, stack, timeLines } from "./draw.js";

const SILENCE_MS = 5000;
const PREFERRED_WINDOW_MS = 60000;
const BASELINE = "round_robin";

const FATES = [
  { key: "delivered", name: "delivered", about: "taken from the chosen replica's cache" },
  { key: "index_over", name: "index", about: "predicted on the chosen replica, but not there" },
  { key: "routing", name: "routing", about: "held by an admissible replica that was not chosen" },
  { key: "load_justified", name: "load-justified", about: "held only by replicas that were too loaded" },
  { key: "capacity", name: "capacity", about: "evicted everywhere" },
  { key: "never_seen", name: "never seen", about: "new to every replica" },
];

const POLICY_COLUMNS = [
  { field: "policy" },
  { field: "rps", className: "n" },
  { field: "hit", className: "n" },
  { field: "p50", className: "n" },
  { field: "p95", className: "n strong" },
  { field: "interval", className: "n quiet" },
  { field: "p99", className: "n" },
  { field: "avoidable", className: "n" },
  { field: "failed", className: "n" },
  { field: "rejected", className: "n" },
  { field: "rps-ratio", className: "n" },
  { field: "p95-ratio", className: "n" },
  { field: "hit-difference", className: "n" },
];

const REPLICA_COLUMNS = [
  { field: "replica" },
  { field: "state" },
  { field: "rps", className: "n" },
  { field: "hit", className: "n" },
  { field: "p95", className: "n strong" },
  { field: "weight", className: "n strong" },
  { field: "bar", className: "bar-cell" },
  { field: "history", className: "line-cell" },
  { field: "slope", className: "n" },
  { field: "samples", className: "n" },
  { field: "reason", className: "quiet" },
];

const byId = (id) => document.getElementById(id);

/** What the page knows: the newest message, and histories joined over all of them. */
const known = {
  source: "connecting",
  view: null,
  heardAt: 0,
  fleet: new Map(),
  weights: new Map(),
};
const chosen = { model: null, windowMs: null };

// ---- stream -------------------------------------------------------------------------------

function listen() {
  const events = new EventSource("events");
  events.addEventListener("snapshot", (event) => {
    known.fleet.clear();
    known.weights.clear();
    take(JSON.parse(event.data));
  });
  events.addEventListener("update", (event) => take(JSON.parse(event.data)));
  events.onerror = () => {
    drawStatus();
    // The browser gives up for good on an answer that is no stream, such as one from a proxy.
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  };
  known.events = events;
}

function take(message) {
  known.source = message.source;
  known.view = message.view;
  known.heardAt = performance.now();
  for (const model of message.view.models) {
    join(known.fleet, model.model, model.history);
    for (const replica of model.windows[0]?.replicas ?? []) {
      join(known.weights, JSON.stringify([model.model, replica.replica]), replica.weight_history);
    }
  }
  draw();
}

/** Merges points into a series by time and forgets what is beyond the retention. */
function join(series, key, points) {
  const byTime = series.get(key) ?? new Map();
  for (const point of points) byTime.set(point.t, point);
  const from = known.view.now_ms - known.view.retention_ms;
  for (const t of byTime.keys()) if (t < from) byTime.delete(t);
  series.set(key, byTime);
}

function seriesOf(series, key) {
  return [...(series.get(key)?.values() ?? [])].sort((a, b) => a.t - b.t);
}

// ---- choice of model and window -----------------------------------------------------------

function chooseModel(models) {
  const names = models.map((model) => model.model);
  const select = byId("model");
  if (!names.includes(chosen.model)) {
    const busiest = [...models].sort((a, b) => requestRate(b) - requestRate(a))[0];
    chosen.model = busiest?.model ?? null;
  }
  select.disabled = names.length === 0;
  if (names.length > 0) {
    keyed(
      select,
      names,
      (name) => `m:${name}`,
      (name) => element("option", { text: name }),
      (option, name) => {
        option.value = name;
      },
    );
    if (select.value !== chosen.model) select.value = chosen.model;
  }
  return models.find((model) => model.model === chosen.model);
}

const requestRate = (model) => model.windows[0]?.total?.rps ?? 0;

function chooseWindow(model) {
  const sizes = model.windows.map((window) => window.size_ms);
  const wanted = chosen.windowMs ?? PREFERRED_WINDOW_MS;
  const size = sizes.includes(wanted) ? wanted : sizes[0];
  keyed(
    byId("window"),
    sizes,
    String,
    (ms) => {
      const label = element("label");
      const input = element("input");
      input.type = "radio";
      input.name = "window";
      input.value = ms;
      label.append(input, element("span", { text: format.windowSize(ms) }));
      return label;
    },
    (label, ms) => {
      label.firstChild.checked = ms === size;
    },
  );
  return model.windows.find((window) => window.size_ms === size);
}

// ---- status -------------------------------------------------------------------------------

function drawStatus(model, window) {
  const [state, text] = status(model, window);
  document.body.dataset.state = state;
  setText(byId("status-text"), text);
}

function status(model, window) {
  const lost =
    known.events?.readyState !== EventSource.OPEN ||
    performance.now() - known.heardAt > SILENCE_MS;
  if (lost) {
    return known.view ? ["lost", "connection lost, trying again"] : ["connecting", "connecting"];
  }
  if (known.source !== "reading") return ["waiting", "waiting for Kafka"];
  if (!model) return ["no-data", "no data"];
  if (model.newest_end_ms === 0) return ["no-data", "weights only, no traffic"];
  const age = format.age(known.view.now_ms - model.newest_end_ms);
  if (model.stale) return ["stale", `stale: last window ended ${age} ago`];
  if (window?.total?.provisional) return ["provisional", `provisional · ${age} behind`];
  return ["live", `live · ${age} behind`];
}

// ---- drawing ------------------------------------------------------------------------------

function draw() {
  const model = chooseModel(known.view.models);
  const window = model && model.windows.length > 0 ? chooseWindow(model) : null;
  drawStatus(model, window);
  byId("figures").hidden = !window;
  byId("empty").hidden = Boolean(window);
  if (!window) {
    drawEmpty();
    return;
  }
  drawFleet(model, window);
  drawPolicies(window);
  drawFates(window);
  drawReplicas(model, window);
  drawQuality(window);
}

function drawEmpty() {
  const waiting = known.source !== "reading";
  setText(byId("empty-title"), waiting ? "Waiting for Kafka" : "No data yet");
  setText(
    byId("empty-text"),
    waiting
      ? "The result topics cannot be read yet: the brokers or the topics are not there. The console keeps trying."
      : "Windows appear a few seconds after the first requests pass the balancer and the routing-stats job runs.",
  );
}

function drawFleet(model, window) {
  const total = window.total;
  const figures = total && {
    rps: format.rate(total.rps),
    p50: format.duration(total.ttft.p50_us),
    p95: format.duration(total.ttft.p95_us),
    p99: format.duration(total.ttft.p99_us),
    hit: format.percent(total.token_hit_rate),
    avoidable: format.rare(total.avoidable_tokens, total.prompt_tokens),
    "avoidable-tokens": total.prompt_tokens ? format.compact(total.avoidable_tokens) : format.UNKNOWN,
    failed: format.rare(total.failed, total.requests),
    rejected: format.rare(total.rejected, total.requests),
  };
  for (const node of document.querySelectorAll("[data-fleet]")) {
    setText(node, figures ? figures[node.dataset.fleet] : format.UNKNOWN);
  }
  const span = drawHistory(seriesOf(known.fleet, model.model));
  setText(
    byId("fleet-note"),
    total
      ? `${format.windowSize(window.size_ms)} to ${format.clock(total.window_end_ms)}, ${format.count(total.requests)} requests; lines over ${span}`
      : "no traffic",
  );
}

/** Draws the fleet's lines; returns the time that they span. */
function drawHistory(points) {
  const to = known.view.now_ms;
  const oldest = points.length > 0 ? points[0].t : to;
  const from = Math.max(to - known.view.retention_ms, Math.min(oldest, to - 60000));
  const frame = { from, to, gapMs: 5000 };
  const line = (className, pick) => ({ className, points: points.map((p) => [p.t, pick(p)]) });
  const span = format.age(to - from);
  const highest = (pick) => Math.max(0, ...points.map((p) => pick(p) ?? 0));

  const topRps = highest((p) => p.rps) * 1.1 || 1;
  timeLines(byId("line-rps"), [line("rps", (p) => p.rps)], {
    ...frame, top: topRps, label: `requests a second over the last ${span}`,
  });
  byId("line-rps").dataset.top = format.rate(topRps / 1.1);

  const topTtft = highest((p) => p.p99_us) * 1.1 || 1;
  timeLines(
    byId("line-ttft"),
    [line("p99", (p) => p.p99_us), line("p95", (p) => p.p95_us), line("p50", (p) => p.p50_us)],
    { ...frame, top: topTtft, label: `time to first token over the last ${span}` },
  );
  byId("line-ttft").dataset.top = format.duration(topTtft / 1.1);

  timeLines(byId("line-hit"), [line("hit", (p) => p.hit)], {
    ...frame, top: 1, label: `prefix hit rate over the last ${span}`,
  });
  byId("line-hit").dataset.top = "100 %";
  return span;
}

function drawPolicies(window) {
  const live = window.policies.filter((policy) => policy.live).length;
  setText(
    byId("policies-note"),
    live > 1 ? "arms on shared replicas share caches and queues: their figures describe the mixture" : "",
  );
  keyed(
    byId("policy-rows"),
    window.policies,
    (policy) => policy.row.policy,
    () => {
      const made = row(POLICY_COLUMNS);
      cell(made, "policy").append(element("span", { className: "name" }), element("small"));
      return made;
    },
    drawPolicy,
  );
}

function drawPolicy(node, { live, row: figures, baseline }) {
  const set = (field, text) => setText(cell(node, field), text);
  node.classList.toggle("past", !live);
  setText(node.querySelector(".name"), figures.policy);
  setText(
    node.querySelector("small"),
    live ? "" : `busiest window, to ${format.clock(figures.window_end_ms)}`,
  );
  set("rps", format.rate(figures.rps));
  set("hit", format.percent(figures.token_hit_rate));
  set("p50", format.duration(figures.ttft.p50_us));
  set("p95", format.duration(figures.ttft.p95_us));
  set("interval", format.interval(figures.ttft.p95_low_us, figures.ttft.p95_high_us));
  setTitle(cell(node, "interval"), `${format.count(figures.ttft.count)} first tokens`);
  set("p99", format.duration(figures.ttft.p99_us));
  set("avoidable", format.rare(figures.avoidable_tokens, figures.prompt_tokens));
  set("failed", format.rare(figures.failed, figures.requests));
  set("rejected", format.rare(figures.rejected, figures.requests));
  const isBaseline = figures.policy === BASELINE;
  const compare = (field, text, good) => {
    const target = cell(node, field);
    setText(target, isBaseline ? "baseline" : text);
    target.classList.toggle("quiet", isBaseline);
    target.classList.toggle("good", good === true);
    target.classList.toggle("bad", good === false);
    setTitle(target, baseline && !baseline.same_window ? "not the same window: the arms took turns" : "");
  };
  compare("rps-ratio", format.times(baseline?.rps_ratio));
  compare("p95-ratio", format.times(baseline?.p95_ratio), verdict(baseline?.p95_ratio, 1, -0.05));
  compare(
    "hit-difference",
    format.points(baseline?.hit_rate_difference),
    verdict(baseline?.hit_rate_difference, 0, 0.02),
  );
}

/** true = better, false = worse, null = unknown or too close to call; `step` points to better. */
function verdict(value, even, step) {
  if (value === null || value === undefined) return null;
  const steps = (value - even) / step;
  return steps > 1 ? true : steps < -1 ? false : null;
}

function drawFates(window) {
  const rows = window.policies.filter((policy) => policy.row.prompt_tokens > 0);
  keyed(
    byId("fate-rows"),
    rows,
    (policy) => policy.row.policy,
    () => {
      const made = element("div", { className: "fate" });
      made.append(
        element("span", { className: "name" }),
        element("span", { className: "stack" }),
        element("span", { className: "total quiet" }),
      );
      return made;
    },
    (node, { live, row: figures }) => {
      node.classList.toggle("past", !live);
      setText(node.querySelector(".name"), figures.policy);
      setText(node.querySelector(".total"), `${format.compact(figures.prompt_tokens)} tokens`);
      drawStack(node.querySelector(".stack"), figures);
    },
  );
}

/** Tokens delivered beyond the prediction stand in two fates: the bar shares out their sum. */
function drawStack(node, figures) {
  const whole = figures.prompt_tokens + figures.fates.index_under;
  const parts = FATES.map((fate) => {
    const tokens = figures.fates[fate.key];
    return {
      className: fate.key,
      share: tokens / whole,
      title: `${fate.name}: ${format.count(tokens)} tokens, ${format.percent(tokens / figures.prompt_tokens)}`,
    };
  });
  stack(node, parts);
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", parts.map((part) => part.title).join("; "));
}

function drawLegend() {
  for (const fate of FATES) {
    const item = element("li", { title: fate.about });
    item.append(
      element("span", { className: `swatch ${fate.key}` }),
      element("b", { text: fate.name }),
      element("span", { className: "quiet", text: fate.about }),
    );
    byId("legend").append(item);
  }
}

function drawReplicas(model, window) {
  setText(byId("lease"), leaseText(model.lease));
  byId("lease").classList.toggle("bad", Boolean(model.lease && model.lease.remaining_ms <= 0));
  keyed(
    byId("replica-rows"),
    window.replicas,
    (replica) => replica.replica,
    () => {
      const made = row(REPLICA_COLUMNS);
      cell(made, "state").append(element("span", { className: "chip" }));
      const bar = element("span", { className: "bar" });
      bar.append(element("span"));
      cell(made, "bar").append(bar);
      cell(made, "history").append(element("div", { className: "line small" }));
      return made;
    },
    (node, replica) => drawReplica(node, replica, model),
  );
}

function leaseText(lease) {
  if (!lease) return "no weights published";
  const frozen = lease.frozen ? `, frozen: ${lease.frozen}` : "";
  if (lease.remaining_ms <= 0) {
    return `lease of the weights ran out ${format.age(-lease.remaining_ms)} ago: balancers use equal ones`;
  }
  return `weights of ${format.clock(lease.epoch)}, lease ${format.age(lease.remaining_ms)}${frozen}`;
}

function drawReplica(node, { replica, live, row: figures, weight }, model) {
  const set = (field, text) => setText(cell(node, field), text);
  node.classList.toggle("past", !live && !weight);
  set("replica", replica);
  const state = weight?.state ?? "unlisted";
  const chip = node.querySelector(".chip");
  setText(chip, state);
  chip.className = `chip ${state}`;
  const current = live ? figures : null;
  set("rps", current ? format.rate(current.rps) : "no traffic");
  cell(node, "rps").classList.toggle("quiet", !current);
  set("hit", format.percent(current?.token_hit_rate));
  set("p95", format.duration(current?.ttft.p95_us));
  set("weight", format.weight(weight?.weight));
  node.querySelector(".bar > span").style.width = `${Math.min(100, 50 * (weight?.weight ?? 0))}%`;
  set("slope", weight ? `${weight.us_per_token.toFixed(1)} µs/token` : format.UNKNOWN);
  set("samples", weight ? format.count(weight.samples) : format.UNKNOWN);
  set("reason", weight?.reason ?? "");
  drawWeightHistory(node.querySelector(".line"), replica, model);
}

function drawWeightHistory(holder, replica, model) {
  const points = seriesOf(known.weights, JSON.stringify([model.model, replica]));
  const to = known.view.now_ms;
  const from = Math.max(to - known.view.retention_ms, Math.min(points[0]?.t ?? to, to - 120000));
  timeLines(
    holder,
    [
      { className: "even", points: [[from, 1], [to, 1]] },
      { className: "weight", points: points.map((point) => [point.t, point.weight]) },
    ],
    { from, to, top: 2, gapMs: Infinity, label: `weight over the last ${format.age(to - from)}` },
  );
}

function drawQuality(window) {
  const total = window.total;
  const quality = total?.quality;
  const cache = total?.cache;
  const entries = [
    ["late, merged", quality?.late],
    ["dropped", quality?.dropped],
    ["skewed", quality?.skewed],
    ["duplicates", quality?.duplicates],
    ["lost at balancer", quality?.lost_at_balancer],
    ["cached tokens unknown", total?.unknown_cached_requests],
    ["cache event gaps", cache?.gaps],
    ["malformed", null, "counted on llm.dead-letters, which this page does not read"],
    ["unreadable results", known.view.invalid_records, "records on the result topics, since the console started"],
  ];
  keyed(
    byId("quality"),
    entries,
    (entry) => entry[0],
    ([name, , title]) => {
      const made = element("div", { title });
      made.append(element("dt", { text: name }), element("dd"));
      return made;
    },
    (node, [, value]) => {
      setText(node.lastChild, format.count(value ?? undefined));
      node.classList.toggle("flagged", value > 0);
    },
  );
}

// ---- start --------------------------------------------------------------------------------

byId("model").addEventListener("change", (event) => {
  chosen.model = event.target.value;
  draw();
});
byId("window").addEventListener("change", (event) => {
  chosen.windowMs = Number(event.target.value);
  draw();
});
drawLegend();
listen();
setInterval(() => {
  if (performance.now() - known.heardAt > SILENCE_MS) drawStatus();
}, 1000);
