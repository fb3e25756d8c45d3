import { Type } from "typebox";

const text = Type.String();
const properties = Type.Union([Type.Object({}), Type.String(), Type.Null()], {
  description: "Options, Parameters and ClientRequestId; an object or the JSON text of one.",
});

/** What is sent is read by `parseRequest`, whose refusals are in the words of the protocol. */
const Sent = Type.Object({
  db: Type.Optional(text),
  csl: text,
  properties: Type.Optional(properties),
});

export const Query = {
  post: { summary: "Runs a query", body: Sent },
  get: { summary: "Runs a query that the URL holds", querystring: Sent },
};

export const Management = { summary: "Runs a management command", body: Sent };

export const StreamIngest = {
  summary: "Adds the rows of the body to a table",
  params: Type.Object({ database: text, table: text }),
  querystring: Type.Object({
    streamFormat: Type.Optional(text),
    mappingName: Type.Optional(text),
    sourceKind: Type.Optional(text),
  }),
};
