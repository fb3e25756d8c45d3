import type { FastifyInstance, FastifyRequest } from "fastify";

/** A form may not be longer, in bytes. */
const FORM_BYTES_MAX = 65_536;

/** Lets a plugin's routes take forms. */
export function takeForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: FORM_BYTES_MAX },
    (_request, body, done) => {
      done(null, new URLSearchParams(body.toString()));
    },
  );
}

/** The form that was sent; an empty one when there was none. */
export function sentForm({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}
