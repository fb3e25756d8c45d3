import { pino, type Logger } from "pino";

export type LogLevel = "debug" | "error" | "fatal" | "info" | "silent" | "trace" | "warn";

/** Members that may hold a credential wherever they occur; shown as `[hidden]`. */
const HIDDEN = [
  "authorization",
  "*.authorization",
  "password",
  "*.password",
  "secret",
  "*.secret",
  "token",
  "*.token",
  "req.headers",
];

/** Structured logs: one JSON object a line on standard error. */
export function createLog(level: LogLevel): Logger {
  const options = { level, redact: { paths: HIDDEN, censor: "[hidden]" } };
  return pino(options, pino.destination({ fd: 2, sync: true }));
}
