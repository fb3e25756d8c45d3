import assert from "node:assert/strict";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { ConfigurationError, loadSettings } from "./load.ts";

const nothing = { flags: {}, variables: {}, file: undefined };

/** What `use` makes of a configuration file with this content. */
async function withFile<Result>(content: string, use: (file: string) => Promise<Result>) {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-config-"));
  const file = join(folder.path, "atoll.yaml");
  await writeFile(file, content);
  return await use(file);
}

function refusalOfFile(content: string): Promise<string> {
  return withFile(content, (file) => refusal({ ...nothing, file }));
}

async function refusal(sources: Parameters<typeof loadSettings>[0]): Promise<string> {
  const error: unknown = await loadSettings(sources).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ConfigurationError);
  return error.message;
}

suite("configuration", () => {
  test("needs no file and no flags", async () => {
    assert.deepEqual(await loadSettings(nothing), {
      data: ".atoll",
      host: "127.0.0.1",
      public_host: "",
      port: 8080,
      query_port: 8081,
      ingest_port: 8082,
      blob_port: 10_000,
      only: [],
      ephemeral: false,
      tls: false,
      log_level: "warn",
      postgres_url: "",
      token_lifetime_s: 3600,
      external_issuers: [],
      outbound_allowed_hosts: [],
      query_database: "NetDefaultDB",
      query_threads: 0,
      query_memory_mb: 0,
      query_concurrency: 12,
      query_queue: 256,
      query_timeout_s: 240,
      query_command_timeout_s: 600,
      query_result_records_max: 500_000,
      query_result_bytes_max: 67_108_864,
      query_origins: [],
      ingest_bytes_max: 10_485_760,
      otlp_endpoint: "",
    });
  });

  test("puts variables over the file and flags over variables", async () => {
    const content = "port: 1\nquery_port: 1\nblob_port: 1\ntls: true\n";
    const variables = { ATOLL_QUERY_PORT: "2", ATOLL_BLOB_PORT: "2", ATOLL_ONLY: "storage,query" };
    const settings = await withFile(content, (file) =>
      loadSettings({ file, variables, flags: { blob_port: "3" } }),
    );
    const { port, query_port, blob_port, tls, only } = settings;
    const seen = [port, query_port, blob_port, tls, only];
    assert.deepEqual(seen, [1, 2, 3, true, ["storage", "query"]]);
  });

  test("names the setting, the value and the limit of what is wrong", async () => {
    assert.match(await refusal({ ...nothing, flags: { port: "70000" } }), /--port is 70000.*65535/);
    const level = await refusal({ ...nothing, flags: { log_level: "chatty" } });
    assert.match(level, /--log-level is "chatty".*debug, error/);
    const variables = { ATOLL_PORT: "many" };
    assert.match(await refusal({ ...nothing, variables }), /ATOLL_PORT is "many".*integer/);
    assert.match(await refusalOfFile("tokens: 3\n"), /no setting "tokens".*token_lifetime_s/);
    const issuers = "external_issuers: [{ issuer: ftp://x }]\n";
    assert.match(await refusalOfFile(issuers), /external_issuers/);
  });

  test("tells a missing file from a broken one", async () => {
    const missing = join(tmpdir(), "no-such-folder", "atoll.yaml");
    assert.match(await refusal({ ...nothing, file: missing }), /cannot be read/);
    assert.match(await refusalOfFile("a: ["), /is not YAML/);
    assert.match(await refusalOfFile("- a\n"), /name: value/);
  });

  test("never shows a database password", async () => {
    const variables = { ATOLL_POSTGRES_URL: "mysql://u:hunter2@h/db" };
    assert.doesNotMatch(await refusal({ ...nothing, variables }), /hunter2/);
  });
});
