import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { requireApiVersion } from "#platform/http/api-version.ts";
import { callerOf } from "#platform/http/authenticate.ts";
import { acceptJson } from "#platform/http/json-body.ts";
import { refuseAsJson } from "#platform/http/json-envelope.ts";
import type { Context } from "../context.ts";
import {
  changeAccount,
  checkName,
  deleteAccount,
  getAccount,
  listAccounts,
  listKeys,
  putAccount,
  regenerateKey,
  revokeDelegation,
} from "./management.ts";
import { presentAccount, presentKeys } from "./present.ts";
import * as schema from "./schema.ts";

/** The versions of the resource-manager interface whose accounts have this shape. */
export const MANAGEMENT_VERSIONS = [
  "2019-06-01",
  "2021-09-01",
  "2022-09-01",
  "2023-01-01",
  "2023-05-01",
  "2024-01-01",
  "2025-01-01",
  "2025-06-01",
  "2025-08-01",
  "2026-04-01",
  "2026-06-01",
  "2026-09-01",
];

const SUBSCRIPTION = "/subscriptions/:subscriptionId";
const OF_SUBSCRIPTION = `${SUBSCRIPTION}/providers/Svc.Storage`;
const OF_GROUP = `${SUBSCRIPTION}/resourceGroups/:resourceGroupName/providers/Svc.Storage`;
const ACCOUNT = `${OF_GROUP}/storageAccounts/:accountName`;

/** `…/providers/Svc.Storage/storageAccounts`: HTTP only, parse, call, present. */
export function accountRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async function routes(app) {
    app.setErrorHandler(refuseAsJson);
    acceptJson(app);
    app.addHook("preParsing", requireApiVersion(MANAGEMENT_VERSIONS));
    readRoutes(app, context);
    changeRoutes(app, context);
    keyRoutes(app, context);
  };
}

type App = Parameters<FastifyPluginAsyncTypebox>[0];

function readRoutes(app: App, context: Context): void {
  const summary = "One storage account";
  app.get(ACCOUNT, { schema: { summary, ...schema.OneAccount } }, async (request) => {
    const account = getAccount(context, callerOf(request), request.params);
    return presentAccount(context, account, request.dialect);
  });
  const listOfAll = `${OF_SUBSCRIPTION}/storageAccounts`;
  app.get(listOfAll, { schema: schema.ListAccounts }, async (request) => {
    const found = listAccounts(context, callerOf(request), request.params);
    return { value: found.map((account) => presentAccount(context, account, request.dialect)) };
  });
  const listOfGroup = `${OF_GROUP}/storageAccounts`;
  app.get(listOfGroup, { schema: schema.ListAccountsOfGroup }, async (request) => {
    const found = listAccounts(context, callerOf(request), request.params);
    return { value: found.map((account) => presentAccount(context, account, request.dialect)) };
  });
  const check = `${OF_SUBSCRIPTION}/checkNameAvailability`;
  app.post(check, { schema: schema.CheckName }, async (request) =>
    checkName(context, callerOf(request), request.params, request.body.name),
  );
}

function changeRoutes(app: App, context: Context): void {
  app.put(ACCOUNT, { schema: schema.PutAccount }, async (request) => {
    const { params, body } = request;
    const account = await putAccount(context, callerOf(request), params, body);
    return presentAccount(context, account, request.dialect);
  });
  app.patch(ACCOUNT, { schema: schema.PatchAccount }, async (request) => {
    const { params, body } = request;
    const account = await changeAccount(context, callerOf(request), params, body);
    return presentAccount(context, account, request.dialect);
  });
  const summary = "Deletes a storage account with all that is in it";
  const options = { schema: { summary, ...schema.OneAccount } };
  app.delete(ACCOUNT, options, async (request, reply) => {
    const wasThere = await deleteAccount(context, callerOf(request), request.params);
    return reply.code(wasThere ? 200 : 204).send();
  });
}

function keyRoutes(app: App, context: Context): void {
  const summary = "The keys of a storage account";
  const listing = { schema: { summary, ...schema.OneAccount } };
  app.post(`${ACCOUNT}/listKeys`, listing, async (request) =>
    presentKeys(listKeys(context, callerOf(request), request.params)),
  );
  app.post(`${ACCOUNT}/regenerateKey`, { schema: schema.RegenerateKey }, async (request) => {
    const { params, body } = request;
    return presentKeys(await regenerateKey(context, callerOf(request), params, body.keyName));
  });
  const revoking = { schema: { summary: "Ends all user delegation keys", ...schema.OneAccount } };
  app.post(`${ACCOUNT}/revokeUserDelegationKeys`, revoking, async (request, reply) => {
    await revokeDelegation(context, callerOf(request), request.params);
    return reply.code(200).send();
  });
}
