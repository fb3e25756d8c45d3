import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { suite, test } from "node:test";
import { Problem } from "../problem.ts";
import { requireSasLimits } from "./sas-limits.ts";
import { parseSas, requireSignature, withPolicy, type SasPolicy } from "./sas.ts";

const KEY = Buffer.alloc(64, 7);
const NOW = new Date("2026-11-21T12:00:00Z");
const HERE = { address: "::ffff:127.0.0.1", isSecure: false, now: NOW };
const BLOB = { account: "acct", container: "c", blob: "a/b c" };

/** The lines of a service signature of version 2022-11-02, in order. */
function serviceLines(fields: Record<string, string>, resource: string): string[] {
  const of = (name: string) => fields[name] ?? "";
  return [
    ...["sp", "st", "se"].map(of),
    resource,
    ...["si", "sip", "spr", "sv", "sr", "snapshot", "ses"].map(of),
    ...["rscc", "rscd", "rsce", "rscl", "rsct"].map(of),
  ];
}

const FIELDS = { sv: "2022-11-02", sr: "b", sp: "r", se: "2026-11-21T13:00:00Z" };

interface Options {
  readonly lines?: string[];
  readonly origin?: object;
  readonly policy?: SasPolicy;
  readonly rawHeaders?: string[];
}

/** Undefined when the signature holds, else status, code and detail. */
function check(over: Record<string, string>, options: Options = {}) {
  const fields: Record<string, string> = { ...FIELDS, ...over };
  const lines = options.lines ?? serviceLines(fields, "/blob/acct/c/a/b c");
  const sig = createHmac("sha256", KEY).update(lines.join("\n")).digest("base64");
  try {
    const query = new Map(Object.entries({ sig, ...fields }).filter(([, value]) => value !== ""));
    const sas = parseSas(query);
    const { rawHeaders = [], policy } = options;
    requireSignature(sas, [Buffer.alloc(64), KEY], BLOB, { rawHeaders, query });
    const whole = policy === undefined ? sas : withPolicy(sas, policy);
    requireSasLimits(whole, { ...HERE, ...options.origin });
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return [error.statusCode, error.code];
  }
}

const FAILED = [403, "AuthenticationFailed"];

suite("shared access signatures", () => {
  test("hold for the blob or container that they were made for", () => {
    assert.equal(check({}), undefined);
    const ofContainer = { ...FIELDS, sr: "c" };
    const lines = serviceLines(ofContainer, "/blob/acct/c");
    assert.equal(check({ sr: "c" }, { lines }), undefined);
    const ofOther = serviceLines(FIELDS, "/blob/acct/c/other");
    assert.deepEqual(check({}, { lines: ofOther }), FAILED);
  });

  test("of an account sign other fields", () => {
    const fields = { sv: "2022-11-02", ss: "b", srt: "co", sp: "rw", se: "2027-01-01" };
    const lines = ["acct", "rw", "b", "co", "", "2027-01-01", "", "", "2022-11-02", "", ""];
    assert.equal(check({ ...fields, sr: "" }, { lines }), undefined);
    const withoutScope = { ...fields, sv: "2019-12-12" };
    const old = ["acct", "rw", "b", "co", "", "2027-01-01", "", "", "2019-12-12", ""];
    assert.equal(check({ ...withoutScope, sr: "" }, { lines: old }), undefined);
  });

  test("of older versions sign fewer lines", () => {
    const fields = { ...FIELDS, sv: "2017-11-09" };
    const all = serviceLines(fields, "/blob/acct/c/a/b c");
    const lines = [...all.slice(0, 8), ...all.slice(11)];
    assert.equal(check(fields, { lines }), undefined);
    assert.deepEqual(check({ sv: "2014-02-14" }), FAILED);
  });

  test("hold within their times only", () => {
    assert.equal(check({ st: "2026-11-21T12:00:00Z" }), undefined);
    assert.deepEqual(check({ st: "2026-11-21T12:00:01Z" }), FAILED);
    assert.deepEqual(check({ se: "2026-11-21T12:00:00Z" }), FAILED);
    assert.deepEqual(check({ se: "tomorrow" }), FAILED);
    assert.equal(check({ se: "2026-11-22" }), undefined);
  });

  test("hold for their addresses and protocols only", () => {
    assert.equal(check({ sip: "127.0.0.1" }), undefined);
    assert.equal(check({ sip: "126.255.255.255-127.0.0.1" }), undefined);
    assert.deepEqual(check({ sip: "127.0.0.2-127.0.0.9" }), [403, "AuthorizationSourceIPMismatch"]);
    assert.deepEqual(check({ spr: "https" }), [403, "AuthorizationProtocolMismatch"]);
    assert.equal(check({ spr: "https" }, { origin: { isSecure: true } }), undefined);
    assert.equal(check({ spr: "https,http" }), undefined);
  });

  test("are refused by name where they ask for what is not there", () => {
    assert.equal(check({ ses: "s" }), undefined);
    const odd = [{ sr: "z" }, { sr: "bs" }, { sr: "bv" }];
    for (const over of [
      ...odd,
      { suoid: "x" },
      { ses: "s", sv: "2020-10-02" },
      { sr: "d" },
      { sdd: "1" },
      { sr: "x" },
    ]) {
      assert.deepEqual(check(over), FAILED);
    }
    assert.deepEqual(check({ sp: "" }), FAILED);
    assert.deepEqual(check({ sp: "r!" }), FAILED);
  });

  test("for a snapshot or version hold for no other one", () => {
    for (const [sr, name] of [
      ["bs", "snapshot"],
      ["bv", "versionid"],
    ] as const) {
      const fields = { ...FIELDS, sr };
      const lines = serviceLines({ ...fields, snapshot: "2026-11-21" }, "/blob/acct/c/a/b c");
      assert.equal(check({ sr, [name]: "2026-11-21" }, { lines }), undefined);
      assert.deepEqual(check({ sr, [name]: "2026-11-22" }, { lines }), FAILED);
      assert.deepEqual(check({ sr }, { lines }), FAILED);
    }
    const base = serviceLines(FIELDS, "/blob/acct/c/a/b c");
    assert.equal(check({ snapshot: "2026-11-21" }, { lines: base }), undefined);
  });

  test("that were changed after signing do not hold", () => {
    const lines = serviceLines(FIELDS, "/blob/acct/c/a/b c");
    assert.deepEqual(check({ sp: "rw" }, { lines }), FAILED);
    assert.deepEqual(check({ rsct: "text/html" }, { lines }), FAILED);
  });

  test("take from a stored policy what they leave out, and nothing else", () => {
    const policy = { permissions: "r", start: "2026-11-21", expiry: "2026-11-22" };
    assert.equal(check({ si: "p", sp: "", se: "" }, { policy }), undefined);
    assert.deepEqual(check({ si: "p", se: "" }, { policy }), FAILED);
    assert.deepEqual(check({ si: "p", sp: "", se: "" }, { policy: { permissions: "r" } }), FAILED);
    const past = { ...policy, expiry: "2026-11-21" };
    assert.deepEqual(check({ si: "p", sp: "", se: "" }, { policy: past }), FAILED);
    assert.deepEqual(check({ sp: "", se: "" }), FAILED);
  });
});

const DELEGATED = {
  ...FIELDS,
  sv: "2026-04-06",
  skoid: "o1",
  sktid: "t1",
  skt: "2026-11-20T00:00:00Z",
  ske: "2026-11-22T00:00:00Z",
  sks: "b",
  skv: "2026-04-06",
  saoid: "a1",
  scid: "c1",
  skdutid: "t2",
  sduoid: "o2",
  srh: "X-Ms-Kind,absent",
  srq: "comp",
  comp: "list",
};

/** The lines of a user delegation signature of version 2026-04-06, in order. */
function delegationLines(fields: Record<string, string>, requestLines: string[]): string[] {
  const of = (name: string) => fields[name] ?? "";
  return [
    ...["sp", "st", "se"].map(of),
    "/blob/acct/c/a/b c",
    ...["skoid", "sktid", "skt", "ske", "sks", "skv", "saoid", "suoid", "scid"].map(of),
    ...["skdutid", "sduoid", "sip", "spr", "sv", "sr"].map(of),
    "",
    "",
    ...requestLines,
    ...["rscc", "rscd", "rsce", "rscl", "rsct"].map(of),
  ];
}

suite("user delegation signatures", () => {
  const delegated = (over: Record<string, string> = {}, options: Options = {}) => {
    const lines = delegationLines({ ...DELEGATED, ...over }, [
      "X-Ms-Kind:log\nabsent:\n",
      "\ncomp:list",
    ]);
    const rawHeaders = ["x-ms-kind", "log"];
    return check({ ...DELEGATED, ...over }, { lines, rawHeaders, ...options });
  };

  test("sign who has signed, for whom, and parts of the request", () => {
    assert.equal(delegated(), undefined);
    assert.deepEqual(delegated({}, { rawHeaders: ["x-ms-kind", "other"] }), FAILED);
    assert.deepEqual(delegated({ comp: "acl" }, { lines: delegationLines(DELEGATED, []) }), FAILED);
  });

  test("sign fewer lines in older versions", () => {
    const fields = { ...DELEGATED, sv: "2019-12-12" };
    const all = delegationLines(fields, []);
    // Without those of agents, delegated users and the encryption scope.
    const lines = [...all.slice(0, 10), ...all.slice(15, 20), ...all.slice(21)];
    assert.equal(check(fields, { lines }), undefined);
    assert.deepEqual(check({ ...fields, sv: "2018-03-28" }, { lines }), FAILED);
  });

  test("hold while their key does, which is a week at most", () => {
    assert.deepEqual(delegated({ ske: "2026-11-21T11:00:00Z" }), FAILED);
    assert.deepEqual(delegated({ skt: "2026-11-21T13:00:00Z" }), FAILED);
    assert.deepEqual(delegated({ skt: "2026-11-14T23:59:59Z" }), FAILED);
    assert.equal(delegated({ skt: "2026-11-15T00:00:00Z" }), undefined);
  });

  test("are for blobs, and have no stored policy", () => {
    assert.deepEqual(delegated({ sks: "q" }), FAILED);
    assert.deepEqual(delegated({ si: "p" }), FAILED);
    assert.deepEqual(delegated({ sktid: "" }), FAILED);
  });
});
