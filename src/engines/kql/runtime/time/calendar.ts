import { DATETIME_MAX, DAY, HOUR, MINUTE, SECOND } from "./ticks.ts";

/** A datetime by its parts in the Gregorian calendar, without a time zone. */
export interface CalendarTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour?: number | undefined;
  readonly minute?: number | undefined;
  readonly second?: number | undefined;
  /** Ticks within the second. */
  readonly fraction?: number;
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const DAYS_IN_400_YEARS = 146_097;
const YEAR_MAX = 9999;

/** Ticks since 0001-01-01; null when the calendar has no such moment. */
export function ticksOf(time: CalendarTime): bigint | null {
  const { year, month, day } = time;
  const [hour, minute, second] = [time.hour ?? 0, time.minute ?? 0, time.second ?? 0];
  if (!isBetween(year, 1, YEAR_MAX) || !isBetween(month, 1, 12)) return null;
  if (!isBetween(day, 1, daysIn(year, month)) || !isClock(hour, minute, second)) return null;
  const seconds = dayNumber(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
  return BigInt(seconds) * SECOND + BigInt(time.fraction ?? 0);
}

/** The parts of a datetime. */
export function calendarTime(ticks: bigint) {
  const { year, month, day } = dateOf(Number(ticks / DAY));
  return { year, month, day, ...timeOfDay(ticks % DAY) };
}

/** Hours, minutes and so on of a timespan that is shorter than a day and not negative. */
export function timeOfDay(ticks: bigint) {
  return {
    hour: Number(ticks / HOUR),
    minute: Number((ticks % HOUR) / MINUTE),
    second: Number((ticks % MINUTE) / SECOND),
    fraction: Number(ticks % SECOND),
  };
}

/** The week of ISO 8601: it starts on Monday, and week 1 has the year's first Thursday. */
export function weekOfYear(ticks: bigint): number {
  const days = Number(ticks / DAY);
  const thursday = days - (days % 7) + 3;
  const { year } = dateOf(thursday);
  return Math.floor((thursday - dayNumber(year, 1, 1)) / 7) + 1;
}

/** A moment that may lie outside of the calendar after arithmetic: null when it does. */
export function withinCalendar(ticks: bigint): bigint | null {
  return ticks >= 0n && ticks <= DATETIME_MAX ? ticks : null;
}

function isBetween(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high;
}

function isClock(hour: number, minute: number, second: number): boolean {
  return isBetween(hour, 0, 23) && isBetween(minute, 0, 59) && isBetween(second, 0, 59);
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysIn(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (MONTH_DAYS[month - 1] ?? 0);
}

/** Days since 0001-01-01. */
function dayNumber(year: number, month: number, day: number): number {
  const before = year - 1;
  const years = before * 365 + Math.floor(before / 4) - Math.floor(before / 100);
  let days = years + Math.floor(before / 400) + day - 1;
  for (let earlier = 1; earlier < month; earlier += 1) days += daysIn(year, earlier);
  return days;
}

function dateOf(days: number) {
  // A guess that is never too late, then at most two steps.
  let year = Math.max(Math.floor((days * 400) / DAYS_IN_400_YEARS), 1);
  while (dayNumber(year + 1, 1, 1) <= days) year += 1;
  let [month, rest] = [1, days - dayNumber(year, 1, 1)];
  for (; rest >= daysIn(year, month); month += 1) rest -= daysIn(year, month);
  return { year, month, day: rest + 1 };
}
