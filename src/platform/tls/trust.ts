/** Shell lines (comments begin with `#`) that make clients and systems trust this authority. */
export function trustInstructions(caFile: string): string[] {
  const posix = `'${caFile.replaceAll("'", `'\\''`)}'`;
  const powershell = `'${caFile.replaceAll("'", "''")}'`;
  return [
    "# Node.js, beside the authorities it knows:",
    `export NODE_EXTRA_CA_CERTS=${posix}`,
    "# Python requests, instead of the authorities it knows:",
    `export REQUESTS_CA_BUNDLE=${posix}`,
    "# OpenSSL, curl, Go and most others, instead of the authorities they know:",
    `export SSL_CERT_FILE=${posix}`,
    "# The whole system, Debian and Ubuntu:",
    `sudo cp ${posix} /usr/local/share/ca-certificates/atoll.crt && sudo update-ca-certificates`,
    "# The whole system, Fedora and Red Hat:",
    `sudo cp ${posix} /etc/pki/ca-trust/source/anchors/atoll.pem && sudo update-ca-trust`,
    "# The whole system, macOS:",
    "sudo security add-trusted-cert -d -r trustRoot " +
      `-k /Library/Keychains/System.keychain ${posix}`,
    "# This user, Windows PowerShell:",
    `Import-Certificate -FilePath ${powershell} -CertStoreLocation Cert:\\CurrentUser\\Root`,
  ];
}
