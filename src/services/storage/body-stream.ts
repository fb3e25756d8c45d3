import { Readable } from "node:stream";

/**
 * A body whose chunks go to the socket one by one, past the buffers of streams. `sent` is called
 * with each that has left this process, so that its memory can be used again. Whoever destroys the
 * stream, because the client has gone, ends the chunks as well.
 */
export class BodyStream extends Readable {
  readonly #chunks: AsyncIterable<Uint8Array>;
  readonly #sent: (chunk: Uint8Array) => void;

  constructor(chunks: AsyncIterable<Uint8Array>, sent: (chunk: Uint8Array) => void) {
    super({ read() {} });
    this.#chunks = chunks;
    this.#sent = sent;
  }

  override pipe<Target extends NodeJS.WritableStream>(target: Target): Target {
    void this.#send(target);
    return target;
  }

  async #send(target: NodeJS.WritableStream): Promise<void> {
    try {
      const send = this.#sender(target);
      for await (const chunk of this.#chunks) {
        if (!(await send(chunk))) return;
        this.#sent(chunk);
      }
      target.end();
      this.push(null);
      this.resume();
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Sends a chunk and tells whether it went out; a socket that is gone may never say so. */
  #sender(target: NodeJS.WritableStream): (chunk: Uint8Array) => Promise<boolean> {
    let settle: ((isSent: boolean) => void) | undefined;
    this.once("close", () => settle?.(false));
    return (chunk) => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      if (this.destroyed) return Promise.resolve(false);
      settle = resolve;
      target.write(chunk, (error) => resolve(error === null || error === undefined));
      return promise;
    };
  }
}
