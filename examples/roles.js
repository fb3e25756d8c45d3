// One principal, one role, one container: refused, granted, refused again. Needs `up --tls`,
// because the SDK sends bearer tokens over TLS only. Run it with the variables of `atoll env`.
import { ClientSecretCredential } from "@azure/identity";
import { BlobServiceClient } from "@azure/storage-blob";

const { env } = process;
const gateway = env.ATOLL_GATEWAY;
const tenant = env.ATOLL_TENANT_ID;

const owner = credential(env.ATOLL_CLIENT_ID, env.ATOLL_CLIENT_SECRET);
const { token } = await owner.getToken(`${gateway}/.default`);

const name = `writer-${process.pid}`;
const writer = await post("/admin/principals", { kind: "ServicePrincipal", name });
const { secret } = await post(`/admin/principals/${writer.id}/secrets`, {});
const blobs = new BlobServiceClient(env.ATOLL_ACCOUNT_URL, credential(writer.id, secret));
const logs = new BlobServiceClient(env.ATOLL_ACCOUNT_URL, owner);
await logs.getContainerClient("mine").createIfNotExists();
await logs.getContainerClient("theirs").createIfNotExists();

await attempt("before the grant", "mine");
const scope =
  `/subscriptions/${env.ATOLL_SUBSCRIPTION_ID}/resourceGroups/${env.ATOLL_RESOURCE_GROUP}` +
  `/providers/Svc.Storage/storageAccounts/${env.ATOLL_STORAGE_ACCOUNT}` +
  "/blobServices/default/containers/mine";
const grant = await request(
  "POST",
  "/authorization/roleAssignments?api-version=2022-03-01-preview",
  {
    principalObjectId: writer.id,
    principalType: "ServicePrincipal",
    roleDefinitionId: "ba92f5b4-2d11-453d-a403-e96b0029c9fe", // Storage Blob Data Contributor
    scope,
  },
);
await attempt("granted on one container", "mine");
await attempt("granted on one container", "theirs");
const location = new URL(grant.headers.get("location") ?? "", gateway);
await request("DELETE", location.pathname + location.search);
await attempt("after the role was removed", "mine");

async function attempt(when, container) {
  const blob = blobs.getContainerClient(container).getAppendBlobClient("day.log");
  const outcome = await blob.create().then(
    () => "created",
    (error) => `${error.statusCode} ${error.code}`,
  );
  console.log(`${when}: ${container}/day.log: ${outcome}`);
}

function credential(clientId, clientSecret) {
  const options = { authorityHost: gateway, disableInstanceDiscovery: true };
  return new ClientSecretCredential(tenant, clientId, clientSecret, options);
}

async function post(path, body) {
  return (await request("POST", path, body)).json();
}

async function request(method, path, body) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(new URL(path, gateway), {
    method,
    headers: body === undefined ? { authorization: headers.authorization } : headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}
