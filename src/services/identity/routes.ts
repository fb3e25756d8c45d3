import type { FastifyPluginAsync } from "fastify";
import { adminRoutes } from "./admin/routes.ts";
import type { Context } from "./context.ts";
import { takeForms } from "./forms.ts";
import { loginRoutes } from "./login/routes.ts";
import { oauthRoutes } from "./oauth/routes.ts";
import type { Verifier } from "./tokens/verify.ts";

/** Three parts, each with the envelope of its readers: programs, people, administrators. */
export function identityRoutes(context: Context, verifier: Verifier): FastifyPluginAsync {
  return async function routes(app) {
    await app.register(async function forms(part) {
      takeForms(part);
      await part.register(oauthRoutes(context, verifier));
      await part.register(loginRoutes(context));
    });
    await app.register(adminRoutes(context));
  };
}
