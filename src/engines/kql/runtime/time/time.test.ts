import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assert as check, bigInt, property } from "fast-check";
import { callerOf } from "../call-function.ts";
import { formatDatetimeTicks, formatTimespanTicks } from "./format-time.ts";
import { timeFunctions } from "./index.ts";
import { parseDatetime } from "./parse-datetime.ts";
import { parseTimespan } from "./parse-timespan.ts";
import { DATETIME_MAX, TIMESPAN_MAX, TIMESPAN_MIN } from "./ticks.ts";

const call = callerOf(timeFunctions);

function at(text: string): bigint {
  const ticks = parseDatetime(text);
  assert.ok(ticks !== null, text);
  return ticks;
}

function span(text: string): bigint {
  const ticks = parseTimespan(text);
  assert.ok(ticks !== null, text);
  return ticks;
}

void suite("the text of a datetime", () => {
  test("is read in every documented form", () => {
    const noon = "2014-11-08T15:05:00.0000000Z";
    for (const text of [
      "2014-11-08T15:05Z",
      "2014-11-08 15:05",
      "2014-11-08 15:05 GMT",
      "2014-11-08T16:05:00+01:00",
      "2014-11-08T10:05:00-0500",
      "Sat, 8 Nov 14 15:05 GMT",
      "Sat, 8 Nov 2014 15:05",
      "8 Nov 14 15:05",
      "Saturday, 08-Nov-14 15:05 GMT",
      "08-Nov-14 15:05",
      "11/8/2014 3:05 PM",
      "11-08-2014 15:05:00",
      "November 8, 2014 15:05",
      "Sat Nov  8 15:05:00 2014",
      " 2014-11-08 15:05:00.0 ",
    ]) {
      assert.equal(formatDatetimeTicks(at(text)), noon, text);
    }
    assert.equal(
      formatDatetimeTicks(at("2014-05-25T08:20:03.12345678Z")),
      "2014-05-25T08:20:03.1234567Z",
    );
    assert.equal(formatDatetimeTicks(at("1969-07-20")), "1969-07-20T00:00:00.0000000Z");
    assert.equal(formatDatetimeTicks(at("2016")), "2016-01-01T00:00:00.0000000Z");
    assert.equal(formatDatetimeTicks(at("12/31/1999 12:00 am")), "1999-12-31T00:00:00.0000000Z");
  });

  test("is null when the calendar has no such day or time", () => {
    for (const text of [
      "",
      "now",
      "2014-02-29",
      "2014-13-01",
      "2014-01-01 24:00",
      "2014-01-01 10:60",
      "0000-01-01",
      "10:30",
      "2014-01-01x",
      "1/2/3",
      "13:00 PM",
      "0001-01-01T00:00+01:00",
      "2014-1-1 13:00 PM",
    ]) {
      assert.equal(call("todatetime", text), null, text);
    }
  });

  test("reads back as it was written", () => {
    check(
      property(bigInt({ min: 0n, max: DATETIME_MAX }), (ticks) => {
        assert.equal(parseDatetime(formatDatetimeTicks(ticks)), ticks);
      }),
    );
  });
});

void suite("the text of a timespan", () => {
  test("is read as a clock, as days or as an amount", () => {
    assert.equal(formatTimespanTicks(span("1.02:03:04.5")), "1.02:03:04.5000000");
    assert.equal(formatTimespanTicks(span("-00:01")), "-00:01:00");
    assert.equal(formatTimespanTicks(span("3")), "3.00:00:00");
    assert.equal(formatTimespanTicks(span("1.5h")), "01:30:00");
    assert.equal(formatTimespanTicks(span("90s")), "00:01:30");
    assert.equal(formatTimespanTicks(span("-1d")), "-1.00:00:00");
    assert.equal(formatTimespanTicks(span("10ms")), "00:00:00.0100000");
    assert.equal(formatTimespanTicks(span("1microsecond")), "00:00:00.0000010");
    assert.equal(formatTimespanTicks(span("1tick")), "00:00:00.0000001");
    assert.equal(formatTimespanTicks(span("2 minutes")), "00:02:00");
  });

  test("is null when it is none of these", () => {
    for (const text of ["", "1.5", "1x", "25:00", "1:2:3:4", "00:60", "99999999d", "h"]) {
      assert.equal(call("totimespan", text), null, text);
    }
  });

  test("reads back as it was written", () => {
    check(
      property(bigInt({ min: TIMESPAN_MIN, max: TIMESPAN_MAX }), (ticks) => {
        assert.equal(parseTimespan(formatTimespanTicks(ticks)), ticks);
      }),
    );
  });
});

void suite("formats", () => {
  test("of datetimes have specifiers and delimiters", () => {
    const cases = [
      ["2017-01-29 09:00:05", "yy-MM-dd [HH:mm:ss]", "17-01-29 [09:00:05]"],
      ["2017-01-29 09:00:05", "yyyy-M-dd [H:mm:ss]", "2017-1-29 [9:00:05]"],
      ["2020-06-15 13:45:09", "M/d/yyyy h:mm:ss tt", "6/15/2020 1:45:09 PM"],
      ["2007-03-09 00:30:00", "hh:mm tt", "12:30 AM"],
      ["2009-06-15 13:45:30.617", "fff f ffff", "617 6 6170"],
      ["2009-06-15 13:45:30.000115", "FFFFFFF.F", "000115."],
      ["2007-03-09 05:04:03", "ddd MMM", "099 033"],
      ["2007-03-09 05:04:03", "dddd, MMMM d, yyyy", "0909, 0303 9, 2007"],
      ["0900-01-01", "y yy yyyy", "0 00 0900"],
    ] as const;
    for (const [text, format, expected] of cases) {
      assert.equal(call("format_datetime", at(text), format), expected);
    }
    assert.throws(() => call("format_datetime", 0n, "yyyyTHH"), /'T'/);
  });

  test("of timespans have a sign in front", () => {
    const cases = [
      ["29.09:00:05.12345", "dd.hh:mm:ss:FF", "29.09:00:05:12"],
      ["29.09:00:05.12345", "ddd.h:mm:ss [fffffff]", "029.9:00:05 [1234500]"],
      ["-1.02:30:00", "d.hh:mm:ss", "-1.02:30:00"],
      ["-00:01:30", "mm:ss", "-01:30"],
      ["10675199.02:48:05.4775807", "d.hh:mm:ss", "10675199.02:48:05"],
    ] as const;
    for (const [text, format, expected] of cases) {
      assert.equal(call("format_timespan", span(text), format), expected);
    }
    assert.throws(() => call("format_timespan", 0n, "c"), /'c'/);
  });
});

void suite("the calendar", () => {
  test("counts weeks as ISO 8601 does", () => {
    const weeks = ["2015-12-31", "2016-01-01", "2018-12-31", "2019-01-01", "2023-01-01"];
    assert.deepEqual(
      weeks.map((day) => call("week_of_year", at(day))),
      [53, 53, 1, 1, 52],
    );
    assert.equal(call("week_of_year", at("9999-12-31")), 52);
    assert.equal(call("week_of_year", at("0001-01-01")), 1);
  });

  test("makes moments of parts", () => {
    const made = call("make_datetime", 2017n, 10n, 1n, 12n, 11n, 0.1234567);
    assert.equal(made, at("2017-10-01 12:11:00.1234567"));
    assert.equal(
      call("make_datetime", 2020n, 2n, 29n, 23n, 59n, 59.9999999),
      at("2020-02-29 23:59:59.9999999"),
    );
    assert.equal(call("make_datetime", 2020n, 13n, 1n), null);
    assert.equal(call("make_datetime", "2000-04-15"), at("2000-04-15"));
    assert.equal(call("make_timespan", 1n, 12n, 30n, 55.123), span("1.12:30:55.123"));
    assert.equal(call("make_timespan", 1n, 15n), span("01:15"));
    assert.equal(call("make_timespan", 1n, 60n), null);
  });
});

void suite("time zones", () => {
  test("go to local time and back, also where the clock is changed", () => {
    const cases = [
      ["2022-03-27 01:00", "2022-03-27 00:00", "2022-03-27 01:00"],
      ["2022-03-27 02:00", "2022-03-27 00:00", "2022-03-27 01:00"],
      ["2022-03-27 03:00", "2022-03-27 01:00", "2022-03-27 03:00"],
      ["2022-10-30 02:30", "2022-10-30 00:30", "2022-10-30 02:30"],
    ] as const;
    for (const [local, utc, back] of cases) {
      const moment = call("datetime_local_to_utc", at(local), "Europe/Brussels");
      assert.equal(moment, at(utc), local);
      assert.equal(call("datetime_utc_to_local", moment, "Europe/Brussels"), at(back), local);
    }
    assert.equal(
      call("datetime_utc_to_local", at("2023-07-01"), "US/Pacific"),
      at("2023-06-30 17:00"),
    );
  });

  test("are null without a zone of that name", () => {
    assert.equal(call("datetime_utc_to_local", at("2023-07-01"), "Middle/Earth"), null);
    const zones = call("datetime_list_timezones");
    assert.ok(Array.isArray(zones) && zones.includes("Europe/Brussels"));
  });
});
