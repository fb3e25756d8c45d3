import { createServer } from "node:http";

/** `node bare-server.ts PORT` */
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.writeHead(201, { "content-length": 0 });
    response.end();
  });
});
server.listen(Number(process.argv[2]), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
