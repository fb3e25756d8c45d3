import { flagOf, Settings, variableOf } from "./settings.ts";

const INTRODUCTION = `# Configuration

Every setting has a default; Atoll runs without any. A setting comes from, in this order: a flag
of \`atoll up\`, a variable of the environment, the file \`atoll.yaml\` in the current folder (or
the one named by \`--config\`), its default. An unknown setting, or a value that does not fit,
stops \`atoll up\` with one sentence.

\`\`\`yaml
# atoll.yaml
port: 9090
outbound_allowed_hosts: [".intra.example"]
external_issuers:
  - issuer: https://login.example.com
    audiences: ["api://atoll"]
\`\`\`

In variables and flags a list is comma-separated, or YAML in brackets:
\`--outbound-allowed-hosts a.example,.b.example\`.

| setting | default | what | flag | variable |
|---|---|---|---|---|
`;

/** `docs/reference/configuration.md`, from the settings themselves. */
export function configurationPage(): string {
  const rows = Object.entries(Settings.properties).map(([name, schema]) => {
    const value = "default" in schema ? schema.default : "";
    const description = "description" in schema ? String(schema.description) : "";
    const shown = value === "" ? "" : `\`${JSON.stringify(value).replaceAll('"', "")}\``;
    const cells = [`\`${name}\``, shown, description, `\`${flagOf(name)}\``];
    return `| ${[...cells, `\`${variableOf(name)}\``].join(" | ")} |`;
  });
  return `${INTRODUCTION}${rows.join("\n")}\n`;
}
