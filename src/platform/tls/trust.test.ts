import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { trustInstructions } from "./trust.ts";

suite("instructions to trust the authority", () => {
  test("name the file for each client and system, quoted for its shell", () => {
    const lines = trustInstructions("/home/o'neil/ca.pem");
    const commands = lines.filter((line) => !line.startsWith("#"));
    assert.deepEqual(commands, [
      String.raw`export NODE_EXTRA_CA_CERTS='/home/o'\''neil/ca.pem'`,
      String.raw`export REQUESTS_CA_BUNDLE='/home/o'\''neil/ca.pem'`,
      String.raw`export SSL_CERT_FILE='/home/o'\''neil/ca.pem'`,
      String.raw`sudo cp '/home/o'\''neil/ca.pem' /usr/local/share/ca-certificates/atoll.crt` +
        " && sudo update-ca-certificates",
      String.raw`sudo cp '/home/o'\''neil/ca.pem' /etc/pki/ca-trust/source/anchors/atoll.pem` +
        " && sudo update-ca-trust",
      "sudo security add-trusted-cert -d -r trustRoot " +
        String.raw`-k /Library/Keychains/System.keychain '/home/o'\''neil/ca.pem'`,
      String.raw`Import-Certificate -FilePath '/home/o''neil/ca.pem'` +
        String.raw` -CertStoreLocation Cert:\CurrentUser\Root`,
    ]);
  });
});
