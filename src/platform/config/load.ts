import { readFile } from "node:fs/promises";
import { Value } from "typebox/value";
import { parse } from "yaml";
import { flagOf, Settings, variableOf } from "./settings.ts";

/** Something in the configuration is wrong. The sentence says what, where and what is allowed. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

export interface ConfigurationSources {
  /** Settings by their names in `atoll.yaml`, as text, from the command line. */
  readonly flags: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** A file that must exist; without it `atoll.yaml` is read if it is there. */
  readonly file: string | undefined;
}

const DEFAULT_FILE = "atoll.yaml";

/** Defaults, overlaid by the file, then by `ATOLL_*` variables, then by the command line. */
export async function loadSettings(sources: ConfigurationSources): Promise<Settings> {
  const settings = defaults();
  for (const [name, { value, origin }] of await given(sources)) {
    const schema = Settings.properties[name];
    const [problem] = Value.Errors(schema, value);
    if (problem !== undefined) {
      const shown = secretSetting(name) ? "(not shown)" : JSON.stringify(value);
      const allowed = "enum" in schema ? ` (${schema.enum.join(", ")})` : "";
      throw new ConfigurationError(
        `${origin} is ${shown}, but ${name}${problem.instancePath} ${problem.message}${allowed}.`,
      );
    }
    Object.assign(settings, { [name]: value });
  }
  return settings;
}

type SettingName = keyof Settings;
type Given = Map<SettingName, { readonly value: unknown; readonly origin: string }>;

function defaults(): Settings {
  return Value.Create(Settings);
}

function secretSetting(name: string): boolean {
  return name === "postgres_url";
}

async function given(sources: ConfigurationSources): Promise<Given> {
  const result: Given = new Map();
  const file = sources.file ?? DEFAULT_FILE;
  for (const [name, value] of Object.entries(await fromFile(file, sources.file !== undefined))) {
    result.set(known(name, file), { value, origin: `${name} in ${file}` });
  }
  for (const name of settingNames()) {
    const variable = variableOf(name);
    const text = sources.variables[variable];
    if (text !== undefined) result.set(name, { value: parsed(name, text), origin: variable });
  }
  for (const [name, text] of Object.entries(sources.flags)) {
    const setting = known(name, "the command line");
    result.set(setting, { value: parsed(setting, text), origin: flagOf(name) });
  }
  return result;
}

async function fromFile(file: string, required: boolean): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (!required && error instanceof Error && "code" in error && error.code === "ENOENT") {
      return {};
    }
    throw new ConfigurationError(`The configuration file ${file} cannot be read.`);
  }
  const content: unknown = parsedYaml(text, file);
  if (content === null || content === undefined) return {};
  if (typeof content !== "object" || Array.isArray(content)) {
    throw new ConfigurationError(`${file} must hold settings, one "name: value" a line.`);
  }
  return Object.fromEntries(Object.entries(content));
}

function parsedYaml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : "";
    throw new ConfigurationError(`${file} is not YAML: ${reason}`);
  }
}

function known(name: string, origin: string): SettingName {
  const found = settingNames().find((setting) => setting === name);
  if (found !== undefined) return found;
  throw new ConfigurationError(
    `There is no setting "${name}" (in ${origin}); the settings are ${settingNames().join(", ")}.`,
  );
}

function settingNames(): SettingName[] {
  return Object.keys(Settings.properties).filter((name): name is SettingName => name !== "");
}

/** Text from a variable or a flag as the setting's type; what does not fit stays text. */
function parsed(name: SettingName, text: string): unknown {
  const [type] = [Settings.properties[name]].map((schema) => ("type" in schema ? schema.type : ""));
  if (type === "array" && !text.startsWith("[")) return text === "" ? [] : text.split(",");
  if (type === "array") return parsedYaml(text, variableOf(name));
  if (type === "integer") return /^\d+$/.test(text) ? Number(text) : text;
  if (type === "boolean") return text === "true" || (text !== "false" && text);
  return text;
}
