// Drawing without markup: names from records only ever become text.

const SVG = "http://www.w3.org/2000/svg";

export function element(tag, { className, text, title } = {}) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  if (title) made.title = title;
  return made;
}

/** Sets text only where it changed, so that selections and screen readers are left in peace. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function setTitle(node, title) {
  if (node.title !== title) node.title = title;
}

/**
 * Keeps one child of `parent` for each item, in the items' order. A child stays the same node as
 * long as its key is there.
 */
export function keyed(parent, items, key, make, update) {
  const before = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let at = parent.firstElementChild;
  for (const item of items) {
    const name = key(item);
    let child = before.get(name);
    if (child) {
      before.delete(name);
    } else {
      child = make(item);
      child.dataset.key = name;
    }
    if (child === at) {
      at = at.nextElementSibling;
    } else {
      parent.insertBefore(child, at);
    }
    update(child, item);
  }
  for (const gone of before.values()) gone.remove();
}

/** A table row with one cell a column: the first is the row's header. */
export function row(columns) {
  const made = element("tr");
  columns.forEach((column, index) => {
    const cell = element(index === 0 ? "th" : "td", { className: column.className });
    if (index === 0) cell.scope = "row";
    cell.dataset.field = column.field;
    made.append(cell);
  });
  return made;
}

export function cell(rowNode, field) {
  return rowNode.querySelector(`[data-field="${field}"]`);
}

/**
 * Lines over time. `lines` are {className, points: [[time, value or null]]}; a null or a gap in
 * time breaks a line.
 */
export function timeLines(holder, lines, { from, to, top, gapMs, label }) {
  const width = 100;
  const height = 40;
  const x = (t) => (width * (t - from)) / Math.max(1, to - from);
  const y = (v) => height - (height * Math.min(v, top)) / (top || 1);
  let svg = holder.querySelector("svg");
  if (!svg) {
    svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("role", "img");
    holder.append(svg);
  }
  svg.setAttribute("aria-label", label);
  while (svg.children.length < lines.length) {
    svg.append(document.createElementNS(SVG, "path"));
  }
  lines.forEach((line, index) => {
    const path = svg.children[index];
    path.setAttribute("class", line.className);
    path.setAttribute("d", pathOf(line.points, x, y, from, gapMs));
  });
}

function pathOf(points, x, y, from, gapMs) {
  let path = "";
  let previous = null;
  for (const [t, value] of points) {
    if (t < from || value === null) {
      previous = value === null ? null : previous;
      continue;
    }
    const joined = previous !== null && t - previous <= gapMs;
    // A lone point is a dot: a line of no length with round ends.
    path += `${joined ? "L" : "M"}${x(t).toFixed(2)} ${y(value).toFixed(2)}`;
    if (!joined) path += "h0";
    previous = t;
  }
  return path;
}

/** A bar of `parts`: {className, share 0 to 1, title}. */
export function stack(holder, parts) {
  keyed(
    holder,
    parts,
    (part) => part.className,
    (part) => element("span", { className: `part ${part.className}` }),
    (node, part) => {
      node.style.width = `${(100 * part.share).toFixed(3)}%`;
      setTitle(node, part.title);
    },
  );
}
