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
    name: "query_database",
    takes: "name",
    description: "Database that always exists, and that queries without one mean.",
    default: "NetDefaultDB",
  },
  {
    name: "query_threads",
    takes: "count",
    description: "Threads that queries share; 0 is one per processor.",
    default: "0",
  },
  {
    name: "query_memory_mb",
    takes: "MiB",
    description: "Memory for queries in MiB, before they spill to disk; 0 is half of it all.",
    default: "0",
  },
  {
    name: "query_concurrency",
    takes: "count",
    description: "Queries that run at once; the others wait.",
    default: "12",
  },
  {
    name: "query_queue",
    takes: "count",
    description: "Queries that may wait; the next one is answered with 429.",
    default: "256",
  },
  {
    name: "query_timeout_s",
    takes: "seconds",
    description: "How long a query may take unless it asks otherwise, in seconds.",
    default: "240",
  },
  {
    name: "query_command_timeout_s",
    takes: "seconds",
    description: "How long a management command may take unless it asks otherwise, in seconds.",
    default: "600",
  },
  {
    name: "query_result_records_max",
    takes: "rows",
    description: "Rows of one query's answer; `truncationmaxrecords` names another number.",
    default: "500000",
  },
  {
    name: "query_result_bytes_max",
    takes: "bytes",
    description: "Bytes of one query's answer; `truncationmaxsize` names another number.",
    default: "67108864",
  },
  {
    name: "query_origins",
    takes: "a,b",
    description: "Origins of web pages that may call the query engine, besides the console's.",
    default: "",
  },
  {
    name: "ingest_bytes_max",
    takes: "bytes",
    description: "Bytes of one streaming ingestion, as sent.",
    default: "10485760",
  },
  {
    name: "otlp_endpoint",
    takes: "url",
    description: "OpenTelemetry collector (OTLP over HTTP) that receives a trace per request.",
    default: "",
  },
];
