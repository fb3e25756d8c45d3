const CLOCK = /^(?:(\d+)\.)?(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,7}))?)?$/;
const PYTHON_DAYS = /^(\d+) days?(?:, (.*))?$/;
const LITERAL =
  /^(\d+(?:\.\d+)?) ?(ms|milliseconds?|s|sec|seconds?|m|min|minutes?|h|hours?|d|days?)$/i;

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TICKS_PER_MS = 10_000;

/**
 * Milliseconds of a time span as clients send it: `00:01:00.000`, `1.00:00:00`, `0:01:00`,
 * `1 day, 0:00:00`, a literal such as `4m`, or a number of ticks. Undefined for anything else.
 */
export function durationMs(value: unknown): number | undefined {
  if (typeof value === "number") {
    return Number.isFinite(value) && value >= 0 ? value / TICKS_PER_MS : undefined;
  }
  if (typeof value !== "string") return undefined;
  const text = value
    .trim()
    .replace(/^(?:time|timespan)\((.*)\)$/i, "$1")
    .trim();
  return ofPython(text) ?? ofClock(text) ?? ofLiteral(text);
}

function ofPython(text: string): number | undefined {
  const [found, days, clock] = PYTHON_DAYS.exec(text) ?? [];
  if (found === undefined) return undefined;
  const rest = clock === undefined ? 0 : ofClock(clock);
  return rest === undefined ? undefined : Number(days) * DAY_MS + rest;
}

function ofClock(text: string): number | undefined {
  const [found, days = 0, hours, minutes, seconds = 0, fraction = ""] = CLOCK.exec(text) ?? [];
  if (found === undefined) return undefined;
  const ms =
    Number(days) * DAY_MS +
    Number(hours) * HOUR_MS +
    Number(minutes) * MINUTE_MS +
    Number(seconds) * SECOND_MS;
  return ms + Number(`0.${fraction || "0"}`) * SECOND_MS;
}

function ofLiteral(text: string): number | undefined {
  const [found, count, unit = ""] = LITERAL.exec(text) ?? [];
  if (found === undefined) return undefined;
  return Number(count) * unitMs(unit.toLowerCase());
}

function unitMs(unit: string): number {
  if (unit.startsWith("mil") || unit === "ms") return 1;
  if (unit.startsWith("s")) return SECOND_MS;
  if (unit.startsWith("m")) return MINUTE_MS;
  return unit.startsWith("h") ? HOUR_MS : DAY_MS;
}

/** `[d.]hh:mm:ss[.fffffff]` of a number of milliseconds. */
export function timespanText(ms: number): string {
  const ticks = BigInt(Math.round(Math.abs(ms) * TICKS_PER_MS));
  const unit = BigInt(TICKS_PER_MS);
  const whole = Number(ticks / (unit * BigInt(SECOND_MS)));
  const fraction = ticks % (unit * BigInt(SECOND_MS));
  const days = Math.floor(whole / 86_400);
  const clock = [Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60].map(
    twoDigits,
  );
  const tail = fraction === 0n ? "" : `.${String(fraction).padStart(7, "0")}`;
  return `${ms < 0 ? "-" : ""}${days === 0 ? "" : `${days}.`}${clock.join(":")}${tail}`;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, "0");
}
