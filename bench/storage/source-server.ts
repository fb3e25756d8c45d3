import { once } from "node:events";
import { createServer } from "node:http";

export interface SourceServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves `content` at any path of a loopback port; knows HEAD and one range per request. */
export async function startSource(content: Buffer, host: string): Promise<SourceServer> {
  const server = createServer((request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    const start = Number(first ?? 0);
    const end = Math.min(
      last === undefined || last === "" ? Infinity : Number(last) + 1,
      content.length,
    );
    const headers = {
      "content-length": end - start,
      "accept-ranges": "bytes",
      etag: '"source"',
      ...(first !== undefined && {
        "content-range": `bytes ${start}-${end - 1}/${content.length}`,
      }),
    };
    response.writeHead(first === undefined ? 200 : 206, headers);
    response.end(request.method === "HEAD" ? undefined : content.subarray(start, end));
  });
  server.listen(0, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  return {
    url: `http://${host}:${address.port}/source.bin`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
