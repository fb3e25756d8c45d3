import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, suite, test } from "node:test";
import { AuthorizationManagementClient } from "@azure/arm-authorization";
import { ClientSecretCredential } from "@azure/identity";
import { startAtollProcess, type AtollProcess } from "../support/atoll-process.ts";

const READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const ASSIGNMENT = "00000000-0000-4000-8000-0000000000e1";
const CUSTOM_ROLE = "00000000-0000-4000-8000-0000000000e2";

suite("@azure/arm-authorization", () => {
  let atoll: AtollProcess;
  let client: AuthorizationManagementClient;
  let scope: string;

  before(async () => {
    atoll = await startAtollProcess("--tls");
    const { gateway, tenant_id, subscription_id, credentials, ca_file } = atoll.endpoints;
    const { client_id, client_secret } = credentials.client;
    const tlsOptions = { ca: await readFile(ca_file ?? "", "utf8") };
    const identity = { authorityHost: gateway, disableInstanceDiscovery: true, tlsOptions };
    const credential = new ClientSecretCredential(tenant_id, client_id, client_secret, identity);
    client = new AuthorizationManagementClient(credential, subscription_id, {
      endpoint: gateway,
      credentialScopes: [`${gateway}/.default`],
      tlsOptions,
      retryOptions: { maxRetries: 0 },
    });
    scope = `/subscriptions/${subscription_id}/resourceGroups/local`;
  });

  after(() => atoll.stop());

  test("grants, finds, lists and takes back a role", async () => {
    const { credentials } = atoll.endpoints;
    const principalId = credentials.client.client_id;
    const parameters = { principalId, roleDefinitionId: READER, principalType: "ServicePrincipal" };
    const made = await client.roleAssignments.create(scope, ASSIGNMENT, parameters);
    assert.equal(
      made.id,
      `${scope}/providers/Microsoft.Authorization/roleAssignments/${ASSIGNMENT}`,
    );
    assert.deepEqual(
      [made.name, made.type, made.principalId, made.scope],
      [ASSIGNMENT, "Microsoft.Authorization/roleAssignments", principalId, scope],
    );
    const found = await client.roleAssignments.get(scope, ASSIGNMENT);
    assert.deepEqual(found, made);
    const listed = await Array.fromAsync(client.roleAssignments.listForScope(scope));
    assert.ok(listed.some(({ name }) => name === ASSIGNMENT));
    const again = client.roleAssignments.create(scope, CUSTOM_ROLE, parameters);
    await assert.rejects(again, { statusCode: 409, code: "RoleAssignmentExists" });
    await client.roleAssignments.delete(scope, ASSIGNMENT);
    const gone = client.roleAssignments.get(scope, ASSIGNMENT);
    await assert.rejects(gone, { statusCode: 404, code: "RoleAssignmentNotFound" });
  });

  test("goes by the ids that it was shown, at the root, at a group and at a resource", async () => {
    const { credentials } = atoll.endpoints;
    const principalId = credentials.client.client_id;
    const roles = await Array.fromAsync(client.roleDefinitions.list("/"));
    const { id: roleId = "" } = roles.find(({ name }) => name === READER) ?? {};
    const role = await client.roleDefinitions.getById(roleId);
    assert.deepEqual([role.roleName, role.roleType], ["Reader", "BuiltInRole"]);
    const resource = `${scope}/providers/Microsoft.Storage/storageAccounts/one`;
    for (const at of ["/", scope, resource]) {
      const parameters = { principalId, roleDefinitionId: roleId, description: "for a test" };
      const made = await client.roleAssignments.create(at, ASSIGNMENT, parameters);
      const { id: assignmentId = "" } = made;
      assert.equal(made.scope, at);
      assert.deepEqual(await client.roleAssignments.createById(assignmentId, parameters), made);
      assert.deepEqual(await client.roleAssignments.getById(assignmentId), made);
      assert.deepEqual(await client.roleAssignments.deleteById(assignmentId), made);
      await client.roleAssignments.deleteById(assignmentId);
    }
  });

  test("names what is missing", async () => {
    const nobody = {
      principalId: "00000000-0000-4000-8000-000000000000",
      roleDefinitionId: READER,
    };
    const refused = client.roleAssignments.create(scope, ASSIGNMENT, nobody);
    await assert.rejects(refused, { statusCode: 400, code: "PrincipalNotFound" });
  });

  test("makes, shows and removes a custom role under public names", async () => {
    const actions = ["Microsoft.Storage/storageAccounts/read"];
    const role = { roleName: "Account Viewer", assignableScopes: [scope] };
    const permissions = [{ actions }];
    const definitions = client.roleDefinitions;
    const made = await definitions.createOrUpdate(scope, CUSTOM_ROLE, { ...role, permissions });
    assert.deepEqual([made.roleName, made.permissions?.[0]?.actions], ["Account Viewer", actions]);
    const filter = "roleName eq 'Account Viewer'";
    const listed = await Array.fromAsync(definitions.list(scope, { filter }));
    assert.deepEqual(
      listed.map(({ name }) => name),
      [CUSTOM_ROLE],
    );
    await definitions.delete(scope, CUSTOM_ROLE);
    await assert.rejects(definitions.get(scope, CUSTOM_ROLE), { statusCode: 404 });
  });
});
