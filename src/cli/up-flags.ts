export interface UpFlag {
  /** The setting's name in `atoll.yaml`. */
  readonly name: string;
  /** What the flag takes; none for a switch. */
  readonly takes?: string;
  readonly description: string;
  readonly default: string;
}

/**
 * The settings, as flags. They are written down here once more because reading them from the
 * settings would load the validation library for every command; a test compares the two.
 */
export const UP_FLAGS: readonly UpFlag[] = [
  {
    name: "data",
    takes: "dir",
    description: "Folder that holds all state.",
    default: ".atoll",
  },
  {
    name: "host",
    takes: "address",
    description: "Address that every listener binds to.",
    default: "127.0.0.1",
  },
  {
    name: "public_host",
    takes: "name",
    description: "Name under which clients reach this machine; empty means `host`.",
    default: "",
  },
  {
    name: "port",
    takes: "port",
    description: "Gateway port; 0 is any free one.",
    default: "8080",
  },
  {
    name: "query_port",
    takes: "port",
    description: "Query engine's port.",
    default: "8081",
  },
  {
    name: "ingest_port",
    takes: "port",
    description: "Data management port.",
    default: "8082",
  },
  {
    name: "blob_port",
    takes: "port",
    description: "Blob storage port.",
    default: "10000",
  },
  {
    name: "only",
    takes: "a,b",
    description: "Start these services only, besides identity and authorization; empty starts all.",
    default: "",
  },
  {
    name: "ephemeral",
    description: "Keep state in a temporary folder that is removed on a clean stop.",
    default: "false",
  },
  {
    name: "tls",
    description: "Serve every listener over TLS, with a certificate of a local authority.",
    default: "false",
  },
  {
    name: "log_level",
    takes: "level",
    description: "Least severe level that is written to standard error.",
    default: "warn",
  },
  {
    name: "postgres_url",
    takes: "url",
    description: "Keep the services' tables in this Postgres database, a schema each.",
    default: "",
  },
  {
    name: "token_lifetime_s",
    takes: "seconds",
    description: "How long an access token is valid, in seconds.",
    default: "3600",
  },
  {
    name: "external_issuers",
    takes: "yaml",
    description: "OpenID Connect issuers whose tokens are accepted, with their audiences.",
    default: "",
  },
  {
    name: "outbound_allowed_hosts",
    takes: "a,b",
    description:
      "Hosts (or `.suffix`) that Atoll may fetch from though their address is not public.",
    default: "",
  },
  {
    name: "otlp_endpoint",
    takes: "url",
    description: "OpenTelemetry collector (OTLP over HTTP) that receives a trace per request.",
    default: "",
  },
];
