import { STATUS_CODES } from "node:http";
import type { Answer } from "../protocol/request.ts";

const JSON_TYPE = "application/json; odata.metadata=minimal";

/** Headers as clients are used to seeing them. */
const SPELLED: Readonly<Record<string, string>> = {
  "odata-entityid": "OData-EntityId",
  location: "Location",
  etag: "ETag",
};

/** An answer as a part of a batch. */
export function answerText(
  { status, headers, body }: Answer,
  contentId: string | undefined,
): string {
  const content = typeof body === "object" ? JSON.stringify(body) : textOf(body);
  const type = typeof body === "object" ? JSON_TYPE : "text/plain";
  return [
    "Content-Type: application/http",
    "Content-Transfer-Encoding: binary",
    ...(contentId === undefined ? [] : [`Content-ID: ${contentId}`]),
    "",
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    ...(body === undefined ? [] : [`Content-Type: ${type}`]),
    "OData-Version: 4.0",
    ...Object.entries(headers).map(([name, value]) => `${SPELLED[name] ?? name}: ${value}`),
    "",
    content,
  ].join("\r\n");
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body : "";
}

/** Parts between boundaries, and the content type that names them. */
export function multipart(
  name: string,
  id: string,
  parts: readonly string[],
): { readonly type: string; readonly body: string } {
  const boundary = `${name}_${id}`;
  const pieces = parts.map((part) => `--${boundary}\r\n${part}\r\n`);
  return {
    type: `multipart/mixed; boundary=${boundary}`,
    body: `${pieces.join("")}--${boundary}--\r\n`,
  };
}
