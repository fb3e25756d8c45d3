/** Ticks of 100 ns, the unit of every datetime (since 0001-01-01) and timespan. */
export const MILLISECOND = 10_000n;
export const SECOND = 10_000_000n;
export const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;
export const DAY = 24n * HOUR;
/** 1970-01-01 as a datetime. */
export const UNIX_EPOCH = 621_355_968_000_000_000n;
/** 9999-12-31T23:59:59.9999999. */
export const DATETIME_MAX = 3_155_378_975_999_999_999n;
export const TIMESPAN_MAX = 2n ** 63n - 1n;
export const TIMESPAN_MIN = -(2n ** 63n);

/** How many decimals of a second a tick is. */
export const FRACTION_DIGITS = 7;
