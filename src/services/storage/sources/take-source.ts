import type { Call } from "../call.ts";
import type { Context } from "../context.ts";
import { notImplemented } from "../protocol/features.ts";
import type { CopySource } from "./copy-source.ts";
import { takeForeignSource } from "./foreign-source.ts";
import { takeOwnSource } from "./own-source.ts";
import type { Taken, TakeOptions } from "./taken.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Brings what the source holds into the block store, copying only what has to be copied. */
export async function takeSource(
  context: Context,
  call: Call,
  source: CopySource,
  options: TakeOptions,
): Promise<Taken> {
  if (isOwnSource(context, source)) return takeOwnSource(context, call, source, options);
  refuseSourceKey(call);
  return takeForeignSource(context, call, source, options);
}

/** A key is not handed on to others. */
function refuseSourceKey({ headers }: Call): void {
  const name = "x-svc-source-encryption-key";
  if (headers[name] === undefined) return;
  throw notImplemented(`the header ${name} for sources on other servers`);
}

/** Whether the source is in this store. */
export function isOwnSource({ listenersOrigins }: Context, { url }: CopySource): boolean {
  return listenersOrigins().some((origin) => isSamePlace(url, origin));
}

/** This machine has several names, and a client may use another one than we do. */
function isSamePlace(url: URL, ownOrigin: string): boolean {
  const own = new URL(ownOrigin);
  if (url.origin === own.origin) return true;
  const isSamePort = url.protocol === own.protocol && url.port === own.port;
  return isSamePort && LOOPBACK.test(url.hostname) && LOOPBACK.test(own.hostname);
}
