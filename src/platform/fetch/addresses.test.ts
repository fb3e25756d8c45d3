import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { kindOfAddress } from "./addresses.ts";

function kinds(addresses: readonly string[]): Record<string, string> {
  return Object.fromEntries(addresses.map((address) => [address, kindOfAddress(address)]));
}

function all(addresses: readonly string[], kind: string): Record<string, string> {
  return Object.fromEntries(addresses.map((address) => [address, kind]));
}

suite("addresses", () => {
  test("of the public internet are told from all others", () => {
    const open = [
      "1.1.1.1",
      "9.255.255.255",
      "11.0.0.0",
      "100.63.255.255",
      "100.128.0.0",
      "169.253.255.255",
      "172.15.255.255",
      "172.32.0.0",
      "192.167.255.255",
      "223.255.255.255",
      "2606:4700::1111",
      "2a00::1",
      "::ffff:1.1.1.1",
      "::ffff:101:101",
      "64:ff9b::1.1.1.1",
      "2002:101:101::1",
    ];
    assert.deepEqual(kinds(open), all(open, "public"));
  });

  test("of this machine are known in all their spellings", () => {
    const own = [
      "127.0.0.1",
      "127.255.255.254",
      "::1",
      "0:0:0:0:0:0:0:1",
      "::ffff:127.0.0.1",
      "::ffff:7f00:1",
      "64:ff9b::7f00:1",
      "2002:7f00:1::",
    ];
    assert.deepEqual(kinds(own), all(own, "loopback"));
  });

  test("of private, link-local, reserved and multicast networks are special", () => {
    const closed = [
      "0.0.0.0",
      "10.1.2.3",
      "100.64.0.1",
      "100.100.100.200",
      "168.63.129.16",
      "169.254.169.254",
      "172.16.0.1",
      "172.31.255.255",
      "192.0.0.192",
      "192.168.1.1",
      "198.18.0.1",
      "198.19.255.255",
      "224.0.0.1",
      "239.255.255.255",
      "240.0.0.1",
      "255.255.255.255",
      "::",
      "::7f00:1",
      "fc00::1",
      "fd00:ec2::254",
      "fe80::1",
      "fe80::1%eth0",
      "febf::1",
      "fec0::1",
      "ff02::1",
      "100::1",
      "2001::1",
      "2001:db8::1",
      "::ffff:169.254.169.254",
      "::ffff:0:7f00:1",
      "64:ff9b::a00:1",
      "64:ff9b:1::1",
      "2002:a9fe:a9fe::1",
      "2002:c0a8:101::1",
      "5f00::1",
    ];
    assert.deepEqual(kinds(closed), all(closed, "special"));
  });

  test("that are none are special", () => {
    const none = ["", "localhost", "127.1", "0x7f000001", "2130706433", "[::1]", "1.1.1.1:80"];
    assert.deepEqual(kinds(none), all(none, "special"));
  });
});
