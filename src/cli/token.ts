import { Option, type Command } from "commander";
import type { Endpoints } from "#platform/house/endpoints.ts";
import {
  asToken,
  callApi,
  developmentToken,
  grantedToken,
  runningEndpoints,
  trust,
  type Token,
} from "./api.ts";
import { defineClient, type ClientOptions } from "./command.ts";
import { CliError } from "./errors.ts";
import { dataFolder, readInstance } from "./instance.ts";
import { findPrincipal } from "./principals/principals-api.ts";
import type { Terminal } from "./terminal.ts";

interface TokenOptions extends ClientOptions {
  readonly principal?: string;
  readonly audience?: string;
  readonly scope?: string;
}

/** `atoll token`: a bearer token for a principal and an audience. */
export function addToken(program: Command, terminal: Terminal): void {
  const command = defineClient(program, {
    usage: "token",
    summary: "a bearer token for a principal and an audience",
    examples: [
      ["npx atoll token", "for the gateway, as the development client"],
      ["npx atoll token --audience storage", "for blob storage"],
      ["npx atoll token --audience query", "for the query engine"],
      ["npx atoll token --principal jane -o json", "as jane, with its lifetime"],
      ['curl -H "Authorization: Bearer $(npx atoll token)" ...', "in a request"],
    ],
  });
  command
    .option("--principal <name|id>", "whose token; without it the development client's")
    .option("--audience <url|name>", "gateway (default), management, storage, query, or a URL")
    .addOption(
      new Option("--scope <scopes>", "scopes to ask for, such as URL/.default").conflicts([
        "audience",
        "principal",
      ]),
    )
    .action(async () => {
      const options = command.opts<TokenOptions>();
      const data = await dataFolder(options.data, terminal.variables);
      const endpoints = runningEndpoints(await readInstance(data));
      await trust(endpoints);
      const token = await tokenFor(endpoints, options);
      terminal.print(options.output === "json" ? JSON.stringify(token) : token.access_token);
    });
}

async function tokenFor(endpoints: Endpoints, options: TokenOptions): Promise<Token> {
  const { principal, audience = "gateway", scope } = options;
  if (scope !== undefined) return grantedToken(endpoints, "/common/oauth2/v2.0/token", { scope });
  const url = audienceUrl(endpoints, audience);
  if (principal === undefined) return developmentToken(endpoints, url);
  const { access_token: token } = await developmentToken(endpoints, endpoints.gateway);
  const { id } = await findPrincipal({ gateway: endpoints.gateway, token }, principal);
  const body = { principalId: id, audience: url };
  const request = {
    method: "POST",
    url: `${endpoints.gateway}/admin/tokens`,
    token,
    body,
  } as const;
  return asToken(await callApi(request));
}

/** The URL that a name for an audience stands for. */
function audienceUrl(endpoints: Endpoints, audience: string): string {
  if (audience === "gateway") return endpoints.gateway;
  if (audience === "management") return endpoints.management_base_url;
  if (audience === "storage") return new URL(endpoints.account_url).origin;
  if (audience === "query") return endpoints.cluster_uri;
  if (URL.canParse(audience)) return audience;
  throw new CliError(
    `The audience "${audience}" is neither a name nor a URL.`,
    "Use gateway, management, storage, query, or a URL such as the one npx atoll env shows.",
  );
}
