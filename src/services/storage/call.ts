import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Rights } from "./access/rights.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The version of the blob protocol that the request speaks; empty until it is known. */
    blobVersion: string;
    /** What the client says its body is; any text. */
    sentContentType: string | undefined;
    /** The type of a blob's content, as it was once sent. */
    answeredContentType: string | undefined;
  }
}

/** A request to the blob service, read and allowed. */
export interface Call {
  readonly account: string;
  readonly container: string;
  /** Empty for a request to the container itself. */
  readonly blob: string;
  readonly query: ReadonlyMap<string, string>;
  /** By their native names. */
  readonly headers: IncomingHttpHeaders;
  readonly version: string;
  readonly rights: Rights;
  /** A shared access signature authorizes it, which may also say how the answer is headed. */
  readonly isBySignature: boolean;
  readonly request: FastifyRequest;
}

/** Header values that are undefined are left out. */
export type AnswerHeaders = Readonly<Record<string, string | number | undefined>>;

export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body?: AsyncIterable<Uint8Array> | Uint8Array;
}
