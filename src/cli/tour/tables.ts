import type { TourPart } from "./guide.ts";

const SET = "$ATOLL_TABLES_BASE_URL/api/data/v9.2/svc_opportunityresearchuserinteractionses";
const headers = { Authorization: "Bearer $TOKEN", Prefer: "return=representation" };

/** A row: created, changed by choice, read with labels, and deleted. */
export const tablesTour: TourPart = {
  service: "tables",
  title: "Business tables: a row with a state",
  async run(guide) {
    await guide.call({
      title: "Create a row; columns that must be there are named if they are not.",
      method: "POST",
      url: SET,
      headers,
      json: {
        svc_opportunityresearchuserinteractions: `Tour ${guide.suffix}`,
        svc_opportunityid: "tour",
        svc_sarid: "tour",
        svc_uiitemid: "card-1",
        svc_topic: 1,
      },
      keep: { ROW: "svc_opportunityresearchuserinteractionsid" },
      expect: [201],
    });
    guide.later({
      title: "Delete the row.",
      method: "DELETE",
      url: `${SET}($ROW)`,
      headers: { Authorization: "Bearer $TOKEN" },
      expect: [204],
    });
    await guide.call({
      title: "Set its state; the status that belongs to it comes along.",
      method: "PATCH",
      url: `${SET}($ROW)`,
      headers,
      json: { statecode: 1, svc_feedback: 10_001 },
      expect: [200],
    });
    await guide.call({
      title: "Read it with the labels of its choices.",
      method: "GET",
      url: `${SET}($ROW)?$select=svc_feedback,svc_topic,statecode,statuscode`,
      headers: { ...headers, Prefer: 'odata.include-annotations="*"' },
      expect: [200],
    });
  },
};
