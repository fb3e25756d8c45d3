import type { Guide, TourPart } from "./guide.ts";

const HEADERS = { Authorization: "Bearer $QUERY_TOKEN" };

/** Ask questions: a table, some rows, a query. */
export const queryTour: TourPart = {
  service: "query",
  title: "Query: make a table, stream rows into it, ask",
  async run(guide) {
    await guide.call({
      title: "The query engine is an audience of its own, so it takes a token of its own.",
      method: "POST",
      url: "$ATOLL_AUTH_URL/common/oauth2/token",
      form: {
        grant_type: "client_credentials",
        client_id: "$ATOLL_CLIENT_ID",
        client_secret: "$ATOLL_CLIENT_SECRET",
        resource: "$ATOLL_CLUSTER_URI",
      },
      keep: { QUERY_TOKEN: "access_token" },
      expect: [200],
    });
    const table = `Tour_${guide.suffix}`;
    await guide.call(
      command("A table.", `.create table ${table} (At:datetime, Level:string, Took:timespan)`),
    );
    guide.later(command("Remove the table.", `.drop table ${table} ifexists`));
    await ingest(guide, table);
    await guide.call({
      title: "How many of each level, and how long they took.",
      method: "POST",
      url: "$ATOLL_CLUSTER_URI/v1/rest/query",
      headers: HEADERS,
      json: {
        db: "$ATOLL_DATABASE",
        csl: `${table} | summarize Count = count(), Mean = avg(Took) by Level | sort by Level asc`,
      },
      expect: [200],
    });
  },
};

function command(title: string, csl: string) {
  return {
    title,
    method: "POST",
    url: "$ATOLL_CLUSTER_URI/v1/rest/mgmt",
    headers: HEADERS,
    json: { db: "$ATOLL_DATABASE", csl },
    expect: [200],
  } as const;
}

async function ingest(guide: Guide, table: string): Promise<void> {
  await guide.call({
    title: "Three rows, as CSV; once acknowledged they are on disk and seen by every query.",
    method: "POST",
    url: `$ATOLL_CLUSTER_URI/v1/rest/ingest/$ATOLL_DATABASE/${table}?streamFormat=csv`,
    headers: HEADERS,
    text:
      "2026-01-01T10:00:00Z,info,00:00:01\n" +
      "2026-01-01T10:00:01Z,error,00:00:03\n" +
      "2026-01-01T10:00:02Z,info,00:00:02\n",
    expect: [200],
  });
}
