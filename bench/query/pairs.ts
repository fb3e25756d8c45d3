/** A query, and SQL as somebody who knows both would write it for the same answer. */
export interface Pair {
  readonly name: string;
  readonly kql: string;
  /** Its one column holds each row of the answer as JSON text. */
  readonly sql: string;
}

/** Whole sums wrap around at 64 bits. */
function wrapped(sum: string): string {
  const half = "9223372036854775808::hugeint";
  const all = "18446744073709551616::hugeint";
  return `((coalesce(${sum}, 0) + ${half}) % ${all} + ${all}) % ${all} - ${half}`;
}

/** Ticks as the answer shows them, with seven digits of the second. */
function shownTime(ticks: string): string {
  const time = `make_timestamp(${ticks} // 10 - 62135596800000000)`;
  const fraction = `lpad((${ticks} % 10000000)::varchar, 7, '0')`;
  return `strftime(${time}, '%Y-%m-%dT%H:%M:%S.') || ${fraction} || 'Z'`;
}

/** A number in JSON text as a long: reals lose their fraction, truth values are 1 and 0. */
const LONG_OF_JSON = `case
  when not contains(text, '.') and not contains(text, 'e') and try_cast(text as bigint) is not null
    then try_cast(text as bigint)
  when json_type(c5, '$.a') in ('DOUBLE', 'BIGINT', 'UBIGINT', 'HUGEINT', 'BOOLEAN')
    then case text when 'true' then 1 when 'false' then 0
      else try_cast(trunc(greatest(least(try_cast(text as double), 9.2e18), -9.2e18)) as bigint) end
  end`;

const FIVE_O_CLOCK = 638_396_820_000_000_000n;
const HOUR_TICKS = 36_000_000_000n;

export const pairs: readonly Pair[] = [
  {
    name: "count and average by group",
    kql: "T | summarize count(), avg(v) by verb",
    // The average of nothing but nulls is NaN.
    sql: `select json_array(c3, count(*), coalesce(avg(c4), 'NaN'::double))::varchar
      from rows group by c3`,
  },
  {
    name: "count by hour and group",
    kql: "T | summarize n = count() by bin(t, 1h), verb",
    // Times are ticks since the year 1, which are never negative.
    sql: `select json_array(${shownTime("hour")}, c3, n)::varchar from
      (select c0 - c0 % ${HOUR_TICKS} as hour, c3, count(*) as n from rows group by all)`,
  },
  {
    name: "distinct count and percentile",
    kql: "T | summarize dcount(host), percentile(v, 95) by verb",
    // Counted exactly; the percentile is a value that occurs.
    sql: `select json_array(c3, count(distinct c2), quantile_disc(c4, 0.95))::varchar
      from rows group by c3`,
  },
  {
    name: "equal text, sum by group",
    kql: "T | where host == 'host7' | summarize sum(v) by verb",
    sql: `select json_array(c3, coalesce(sum(c4), 0))::varchar
      from rows where c2 = 'host7' group by c3`,
  },
  {
    name: "text within text",
    kql: "T | where host contains 'st12' | count",
    // In either case.
    sql: "select json_array(count(*))::varchar from rows where contains(lower(c2), 'st12')",
  },
  {
    name: "two conditions, extremes",
    kql: "T | where v > 500 and verb in ('GET', 'PUT') | summarize max(v), min(id) by verb",
    // NaN is not greater than anything.
    sql: `select json_array(c3, max(c4), min(c1))::varchar from rows
      where c4 > 500 and not isnan(c4) and c3 in ('GET', 'PUT') group by c3`,
  },
  {
    name: "first 10 in an order",
    kql: "T | order by v desc, id asc | take 10",
    sql: `select json_array(${shownTime("c0")}, c1, c2, c3, c4, c5)::varchar from
      (select * from rows order by c4 desc nulls last, c1 asc nulls first limit 10)`,
  },
  {
    name: "last row of each group",
    kql: "T | summarize arg_max(t, *) by verb",
    // Nulls of that row stay null.
    sql: `select json_array(c3, ${shownTime("t")}, id, host, v, d)::varchar from
      (select c3, max(c0) as t, arg_max_null(c1, c0) as id, arg_max_null(c2, c0) as host,
        arg_max_null(c4, c0) as v, arg_max_null(c5, c0) as d from rows group by c3)`,
  },
  {
    name: "numbers in JSON",
    kql: "T | extend a = tolong(d.a) | summarize sum(a)",
    sql: `select json_array((${wrapped(`sum(${LONG_OF_JSON})`)})::bigint)::varchar
      from (select c5, c5 ->> '$.a' as text from rows)`,
  },
  {
    name: "term in text",
    kql: "T | where verb has 'get' | extend x = v * 2 + id | summarize sum(x)",
    // A term, in either case, ends where letters and digits end; most rows do not contain it.
    sql: `select json_array(coalesce(sum(c4 * 2 + c1::double), 0))::varchar from rows
      where contains(lower(c3), 'get')
        and regexp_matches(c3, '(?i)(^|[^\\p{L}\\p{N}])get($|[^\\p{L}\\p{N}])')`,
  },
  {
    name: "join",
    kql:
      "T | join kind=inner (T | where id < 100000 | project id, w = v) on id " +
      "| summarize sum(w) by verb",
    sql: `select json_array(a.c3, coalesce(sum(b.c4), 0))::varchar from rows as a
      join (select c1, c4 from rows where c1 < 100000) as b on a.c1 = b.c1 group by a.c3`,
  },
  {
    name: "one hour, sum by group",
    kql: "T | where t between (datetime(2024-01-01T05:00) .. 1h) | summarize s = sum(id) by host",
    // Both ends belong to it.
    sql: `select json_array(c2, (${wrapped("sum(c1)")})::bigint)::varchar from rows
      where c0 between ${FIVE_O_CLOCK} and ${FIVE_O_CLOCK + HOUR_TICKS} group by c2`,
  },
];
