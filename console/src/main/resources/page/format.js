// Figures as text. What is unknown is a dash, never 0.

export const UNKNOWN = "–";

const known = (value) => value !== null && value !== undefined && Number.isFinite(value);

export function rate(perSecond) {
  if (!known(perSecond)) return UNKNOWN;
  if (perSecond >= 1000) return perSecond.toLocaleString("en", { maximumFractionDigits: 0 });
  return perSecond.toFixed(perSecond >= 100 ? 0 : perSecond >= 10 ? 1 : 2);
}

export function percent(share) {
  if (!known(share)) return UNKNOWN;
  // Little is not nothing.
  return share > 0 && share < 0.0005 ? "< 0.1 %" : `${(100 * share).toFixed(1)} %`;
}

/** A share of which most values are 0: those stay quiet. */
export function rare(part, whole) {
  if (!known(part) || !whole) return UNKNOWN;
  return part === 0 ? "0" : percent(part / whole);
}

export function duration(micros) {
  if (!known(micros)) return UNKNOWN;
  const millis = micros / 1000;
  if (millis < 10) return `${millis.toFixed(1)} ms`;
  if (millis < 1000) return `${millis.toFixed(0)} ms`;
  const seconds = millis / 1000;
  return `${seconds.toFixed(seconds < 10 ? 2 : seconds < 100 ? 1 : 0)} s`;
}

export function interval(low, high) {
  if (!known(low)) return UNKNOWN;
  return known(high) ? `${duration(low)} … ${duration(high)}` : `≥ ${duration(low)}`;
}

export function count(value) {
  return known(value) ? value.toLocaleString("en") : UNKNOWN;
}

export function compact(value) {
  if (!known(value)) return UNKNOWN;
  return value < 10000
    ? count(value)
    : value.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 });
}

export function times(ratio) {
  return known(ratio) ? `${ratio.toFixed(2)}×` : UNKNOWN;
}

export function points(difference) {
  if (!known(difference)) return UNKNOWN;
  const value = 100 * difference;
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)} pp`;
}

export function weight(value) {
  return known(value) ? value.toFixed(2) : UNKNOWN;
}

export function age(millis) {
  const seconds = Math.max(0, Math.round(millis / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

export function clock(millis) {
  return new Date(millis).toLocaleTimeString("en-GB");
}

export function windowSize(millis) {
  return millis % 60000 === 0 && millis > 60000 ? `${millis / 60000} min` : `${millis / 1000} s`;
}
