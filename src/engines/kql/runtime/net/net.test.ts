import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assert as check, integer, property } from "fast-check";
import { callerOf } from "../call-function.ts";
import { netFunctions } from "./index.ts";
import { coverIpv4Range, formatIpv4, parseIpv4 } from "./ipv4.ts";

const call = callerOf(netFunctions);
const addressNumber = integer({ min: 0, max: 2 ** 32 - 1 });

void suite("IPv4 addresses", () => {
  test("are numbers under their own prefix", () => {
    assert.equal(call("parse_ipv4", "192.168.1.1"), 3232235777n);
    assert.equal(call("parse_ipv4", "192.168.1.1/24"), 3232235776n);
    assert.equal(call("parse_ipv4", "255.255.255.255/31"), 4294967294n);
    assert.equal(call("parse_ipv4_mask", "127.0.0.1", 24n), 2130706432n);
    assert.equal(call("ipv4_netmask_suffix", "192.168.1.1/24"), 24n);
    assert.equal(call("ipv4_netmask_suffix", "10.1.2.3"), 32n);
  });

  test("are null when they are none", () => {
    for (const text of [
      "",
      "1.2.3",
      "1.2.3.256",
      "1.2.3.4/33",
      "1.2.3.4.5",
      "a.b.c.d",
      "1.2.3.4/",
    ]) {
      assert.equal(call("parse_ipv4", text), null, text);
      assert.equal(call("ipv4_compare", text, "1.2.3.4"), null, text);
    }
    assert.equal(call("parse_ipv4_mask", "1.2.3.4", 33n), null);
  });

  test("compare under the shortest prefix", () => {
    assert.equal(call("ipv4_compare", "192.168.1.0", "192.168.1.0"), 0n);
    assert.equal(call("ipv4_compare", "192.168.1.1/24", "192.168.1.255"), 0n);
    assert.equal(call("ipv4_compare", "192.168.1.1/30", "192.168.1.255/24"), 0n);
    assert.equal(call("ipv4_compare", "192.168.1.1", "192.168.1.255"), -1n);
    assert.equal(call("ipv4_is_match", "192.168.1.1", "192.168.1.0", 31n), true);
    assert.equal(call("ipv4_is_match", "192.168.1.1", "192.168.1.2", 31n), false);
  });

  test("lie in ranges", () => {
    assert.equal(call("ipv4_is_in_range", "192.168.1.6", "192.168.1.1/24"), true);
    assert.equal(call("ipv4_is_in_range", "192.168.2.6", "192.168.1.1/24"), false);
    assert.equal(call("ipv4_is_in_any_range", "127.0.0.1", ["127.0.0.1", "192.168.1.1"]), true);
    assert.equal(call("ipv4_is_in_any_range", "127.0.0.2", "127.0.0.1", "192.168.1.1"), false);
    assert.equal(call("ipv4_is_in_any_range", "nothing", ["127.0.0.1"]), null);
    assert.equal(call("ipv4_is_private", "10.1.2.3/24"), true);
    assert.equal(call("ipv4_is_private", "202.1.2.3"), false);
    assert.equal(call("ipv4_is_private", "127.0.0.1"), false);
  });

  test("are written with and without their prefix", () => {
    assert.equal(call("format_ipv4", "192.168.1.1", 24n), "192.168.1.0");
    assert.equal(call("format_ipv4", 3232236031n, 24n), "192.168.1.0");
    assert.equal(call("format_ipv4", "192.168.1.1/24", 32n), "192.168.1.0");
    assert.equal(call("format_ipv4_mask", "192.168.1.1", 24n), "192.168.1.0/24");
    assert.equal(call("format_ipv4_mask", "192.168.1.1/24", 32n), "192.168.1.0/24");
    assert.equal(call("format_ipv4_mask", "192.168.1.1/24", -1n), "");
    assert.equal(call("format_ipv4", "abc"), "");
  });

  test("read back as they were written", () => {
    check(
      property(addressNumber, (address) => {
        assert.equal(parseIpv4(formatIpv4(address))?.address, address);
      }),
    );
  });

  test("are found in text only between delimiters", () => {
    const line = "05:04:54 127.0.0.1 GET /favicon.ico 404";
    assert.equal(call("has_ipv4", line, "127.0.0.1"), true);
    assert.equal(call("has_ipv4", "05:04:54127.0.0.1 GET", "127.0.0.1"), false);
    assert.equal(call("has_ipv4", "05:04:54 127.0.0.256 GET", "127.0.0.256"), false);
    assert.equal(call("has_ipv4_prefix", line, "127.0."), true);
    assert.equal(call("has_ipv4_prefix", line, "127.0"), false);
    assert.equal(call("has_ipv4_prefix", line, "127.0.0.1"), true);
    assert.equal(call("has_ipv4_prefix", "05:04:54 127.0.0.256 GET", "127.0."), false);
    assert.equal(call("has_any_ipv4", line, ["127.0.0.1", "127.0.0.2"]), true);
    assert.equal(call("has_any_ipv4", line, "127.0.0.3", "127.0.0.2"), false);
    assert.equal(call("has_any_ipv4_prefix", line, "127.0.", "192.168."), true);
  });

  test("from one to another are covered by the fewest networks", () => {
    assert.deepEqual(call("ipv4_range_to_cidr_list", "1.1.128.0", "1.1.140.255"), [
      "1.1.128.0/21",
      "1.1.136.0/22",
      "1.1.140.0/24",
    ]);
    assert.deepEqual(call("ipv4_range_to_cidr_list", "0.0.0.0", "255.255.255.255"), ["0.0.0.0/0"]);
    assert.equal(call("ipv4_range_to_cidr_list", "1.1.128.0", "x"), null);
  });

  test("in a cover are each in exactly one network", () => {
    check(
      property(addressNumber, addressNumber, (one, other) => {
        const [first, last] = [Math.min(one, other), Math.max(one, other)];
        const sizes = coverIpv4Range(first, last).map((it) => 2 ** (32 - Number(it.split("/")[1])));
        assert.equal(
          sizes.reduce((sum, size) => sum + size, 0),
          last - first + 1,
        );
      }),
    );
  });
});

void suite("IPv6 addresses", () => {
  test("have one canonical form", () => {
    assert.equal(call("parse_ipv6", "127.0.0.1"), "0000:0000:0000:0000:0000:ffff:7f00:0001");
    assert.equal(call("parse_ipv6", "::1"), "0000:0000:0000:0000:0000:0000:0000:0001");
    assert.equal(
      call("parse_ipv6_mask", "fe80::85d:e82c:9446:7994/120", 124n),
      "fe80:0000:0000:0000:085d:e82c:9446:7900",
    );
    assert.equal(
      call("parse_ipv6_mask", "192.168.255.255", 120n),
      "0000:0000:0000:0000:0000:ffff:c0a8:ff00",
    );
    assert.equal(
      call("parse_ipv6_mask", "::192.168.255.255/24", 128n),
      "0000:0000:0000:0000:0000:ffff:c0a8:ff00",
    );
  });

  test("are empty or null when they are none", () => {
    for (const text of [
      "",
      "1::2::3",
      "12345::",
      "1:2:3:4:5:6:7",
      "::1/129",
      "::g",
      ":::",
      "1:2:3:4:5:6:7:8:9",
    ]) {
      assert.equal(call("parse_ipv6", text), "", text);
      assert.equal(call("ipv6_is_match", text, "::1"), null, text);
    }
  });

  test("compare under the shortest prefix, IPv4 ones as mapped", () => {
    const [one, other] = ["fe80::85d:e82c:9446:7994", "fe80::85d:e82c:9446:7995"];
    assert.equal(call("ipv6_compare", one, other), -1n);
    assert.equal(call("ipv6_compare", one, other, 127n), 0n);
    assert.equal(call("ipv6_is_match", `${one}/120`, "fe80::85d:e82c:9446:7998"), true);
    assert.equal(call("ipv6_is_match", "192.168.1.1", "::ffff:c0a8:0101"), true);
    assert.equal(call("ipv6_is_match", "192.168.1.1/24", "::ffff:c0a8:01ff", 127n), true);
  });

  test("lie in ranges", () => {
    const address = "a5e:f127:8a9d:146d:e102:b5d3:c755:abcd";
    const ranges = ["a5e:f127:8a9d:146d:e102:b5d3:c755:f6cd/112", "0:0:0:0:0:ffff:c0a8:ac/60"];
    assert.equal(call("ipv6_is_in_range", address, "0:0:0:0:0:ffff:c0a8:ac/60"), false);
    assert.equal(call("ipv6_is_in_any_range", address, ranges), true);
    assert.equal(call("ipv6_is_in_any_range", address, ...ranges.slice(1)), false);
  });
});
