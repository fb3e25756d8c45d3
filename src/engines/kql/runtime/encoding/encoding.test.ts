import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { gunzipSync, inflateSync } from "node:zlib";
import { assert as check, property, string } from "fast-check";
import { callerOf } from "../call-function.ts";
import { encodingFunctions } from "./index.ts";

const call = callerOf(encodingFunctions);

void suite("base64", () => {
  test("is decoded strictly, to text, bytes and GUIDs", () => {
    assert.equal(call("base64_decode_tostring", "S3VzdG8="), "Kusto");
    assert.equal(call("base64_decode_tostring", "U3RyaW5n0KHR0tGA0L7Rh9C60LA="), "");
    assert.deepEqual(call("base64_decode_toarray", "S3VzdG8="), [75, 117, 115, 116, 111]);
    assert.equal(call("base64_decode_toarray", "S3VzdG8"), null);
    assert.equal(
      call("base64_decode_toguid", "8jMxriJurkmwahbmqbIS6w=="),
      "ae3133f2-6e22-49ae-b06a-16e6a9b212eb",
    );
    assert.equal(call("base64_decode_toguid", "S3VzdG8="), null);
  });

  test("is encoded from text, bytes and GUIDs", () => {
    assert.equal(call("base64_encode_tostring", "Kusto"), "S3VzdG8=");
    assert.equal(call("base64_encode_fromarray", [75, 117, 115, 116, 111]), "S3VzdG8=");
    assert.equal(call("base64_encode_fromarray", [256]), "");
    assert.equal(call("base64_encode_fromarray", null), "");
    assert.equal(
      call("base64_encode_fromguid", "ae3133f2-6e22-49ae-b06a-16e6a9b212eb"),
      "8jMxriJurkmwahbmqbIS6w==",
    );
  });
});

void suite("compressed text", () => {
  test("is what other programs read", () => {
    const text = "1234567890qwertyuiop";
    assert.equal(
      call("gzip_compress_to_base64_string", text),
      "H4sIAAAAAAAA/wEUAOv/MTIzNDU2Nzg5MHF3ZXJ0eXVpb3A6m7f2FAAAAA==",
    );
    assert.equal(
      call("zlib_compress_to_base64_string", text),
      "eAEBFADr/zEyMzQ1Njc4OTBxd2VydHl1aW9wOAkGdw==",
    );
    const long = "many words ".repeat(1000);
    const packed = (name: string) => {
      const written = call(`${name}_compress_to_base64_string`, long);
      return Buffer.from(typeof written === "string" ? written : "", "base64");
    };
    assert.equal(gunzipSync(packed("gzip")).toString(), long);
    assert.equal(inflateSync(packed("zlib")).toString(), long);
  });

  test("comes back, and is empty when it is broken", () => {
    assert.equal(
      call("zlib_decompress_from_base64_string", "eJwLSS0uUSguKcrMS1cwNDIGACxqBQ4="),
      "Test string 123",
    );
    assert.equal(call("gzip_decompress_from_base64_string", "x0x0x0"), "");
    check(
      property(string({ unit: "grapheme" }), (text) => {
        for (const kind of ["gzip", "zlib"]) {
          const packed = call(`${kind}_compress_to_base64_string`, text);
          assert.equal(call(`${kind}_decompress_from_base64_string`, packed), text);
        }
      }),
    );
  });
});

void suite("URLs and digits", () => {
  test("are encoded as forms are", () => {
    const url = "https://www.bing.com/hello world";
    assert.equal(call("url_encode", url), "https%3a%2f%2fwww.bing.com%2fhello+world");
    assert.equal(call("url_encode_component", url), "https%3a%2f%2fwww.bing.com%2fhello%20world");
    assert.equal(call("url_decode", "hello%20world+%C3%A9"), "hello world é");
    assert.equal(call("url_decode", "%ff%"), "%ff%");
    check(
      property(string({ unit: "grapheme" }), (text) => {
        assert.equal(call("url_decode", call("url_encode", text)), text);
      }),
    );
  });

  test("are hexadecimal, in 64 bits below zero", () => {
    assert.equal(call("tohex", 256n), "100");
    assert.equal(call("tohex", -256n), "ffffffffffffff00");
    assert.equal(call("tohex", 256n, 5n), "00100");
  });
});
