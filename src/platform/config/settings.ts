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
