import { Type, type Static } from "typebox";

const HOUR_S = 3600;
const port = { minimum: 0, maximum: 65_535 };

/**
 * Every setting, with its default. In `atoll.yaml` they have these names; on the command line
 * `token_lifetime_s` is `--token-lifetime-s`; in the environment it is `ATOLL_TOKEN_LIFETIME_S`.
 */
export const Settings = Type.Object(
  {
    data: Type.String({
      minLength: 1,
      default: ".atoll",
      description: "Folder that holds all state.",
    }),
    host: Type.String({
      minLength: 1,
      default: "127.0.0.1",
      description: "Address that every listener binds to.",
    }),
    public_host: Type.String({
      default: "",
      description: "Name under which clients reach this machine; empty means `host`.",
    }),
    port: Type.Integer({ ...port, default: 8080, description: "Gateway port; 0 is any free one." }),
    query_port: Type.Integer({ ...port, default: 8081, description: "Query engine's port." }),
    ingest_port: Type.Integer({ ...port, default: 8082, description: "Data management port." }),
    blob_port: Type.Integer({ ...port, default: 10_000, description: "Blob storage port." }),
    only: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        "Start these services only, besides identity and authorization; empty starts all.",
    }),
    ephemeral: Type.Boolean({
      default: false,
      description: "Keep state in a temporary folder that is removed on a clean stop.",
    }),
    tls: Type.Boolean({
      default: false,
      description: "Serve every listener over TLS, with a certificate of a local authority.",
    }),
    log_level: Type.Enum(["debug", "error", "fatal", "info", "silent", "trace", "warn"], {
      default: "warn",
      description: "Least severe level that is written to standard error.",
    }),
    postgres_url: Type.String({
      default: "",
      pattern: "^(postgres(ql)?://.+)?$",
      description: "Keep the services' tables in this Postgres database, a schema each.",
    }),
    token_lifetime_s: Type.Integer({
      minimum: 60,
      maximum: HOUR_S,
      default: HOUR_S,
      description: "How long an access token is valid, in seconds.",
    }),
    external_issuers: Type.Array(
      Type.Object(
        {
          issuer: Type.String({ pattern: "^https?://" }),
          audiences: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
        },
        { additionalProperties: false },
      ),
      {
        default: [],
        description: "OpenID Connect issuers whose tokens are accepted, with their audiences.",
      },
    ),
    outbound_allowed_hosts: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        "Hosts (or `.suffix`) that Atoll may fetch from though their address is not public.",
    }),
    query_database: Type.String({
      minLength: 1,
      maxLength: 260,
      default: "NetDefaultDB",
      description: "Database that always exists, and that queries without one mean.",
    }),
    query_threads: Type.Integer({
      minimum: 0,
      maximum: 1024,
      default: 0,
      description: "Threads that queries share; 0 is one per processor.",
    }),
    query_memory_mb: Type.Integer({
      minimum: 0,
      default: 0,
      description: "Memory for queries in MiB, before they spill to disk; 0 is half of it all.",
    }),
    query_concurrency: Type.Integer({
      minimum: 1,
      maximum: 24,
      default: 12,
      description: "Queries that run at once; the others wait.",
    }),
    query_queue: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 256,
      description: "Queries that may wait; the next one is answered with 429.",
    }),
    query_timeout_s: Type.Integer({
      minimum: 1,
      maximum: HOUR_S,
      default: 240,
      description: "How long a query may take unless it asks otherwise, in seconds.",
    }),
    query_command_timeout_s: Type.Integer({
      minimum: 1,
      maximum: HOUR_S,
      default: 600,
      description: "How long a management command may take unless it asks otherwise, in seconds.",
    }),
    query_result_records_max: Type.Integer({
      minimum: 1,
      default: 500_000,
      description: "Rows of one query's answer; `truncationmaxrecords` names another number.",
    }),
    query_result_bytes_max: Type.Integer({
      minimum: 1,
      default: 67_108_864,
      description: "Bytes of one query's answer; `truncationmaxsize` names another number.",
    }),
    query_origins: Type.Array(Type.String({ pattern: "^https?://[^/]+$" }), {
      default: [],
      description: "Origins of web pages that may call the query engine, besides the console's.",
    }),
    ingest_bytes_max: Type.Integer({
      minimum: 1,
      maximum: 1_073_741_824,
      default: 10_485_760,
      description: "Bytes of one streaming ingestion, as sent.",
    }),
    otlp_endpoint: Type.String({
      default: "",
      pattern: "^(https?://.+)?$",
      description: "OpenTelemetry collector (OTLP over HTTP) that receives a trace per request.",
    }),
  },
  { additionalProperties: false },
);

export type Settings = Static<typeof Settings>;

/** The setting's name on the command line. */
export function flagOf(name: string): string {
  return `--${name.replaceAll("_", "-")}`;
}

/** The setting's name in the environment. */
export function variableOf(name: string): string {
  return `ATOLL_${name.toUpperCase()}`;
}
