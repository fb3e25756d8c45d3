import { notImplemented } from "../protocol/features.ts";
import {
  childText,
  invalidXml,
  invalidXmlNode,
  missingXmlNode,
  type XmlElement,
} from "../protocol/xml-body.ts";
import { isKnownVersion } from "../protocol/versions.ts";
import { checkCorsRules } from "./cors-rules.ts";

/** Refuses, with 400 or 501, a section that says what it cannot. */
type Check = (section: XmlElement) => void;

const RETENTION_DAYS_MAX = 365;
const ANALYTICS_VERSION = "1.0";

/** The sections of `<StorageServiceProperties>`, in the order in which they are answered. */
export const SECTIONS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["Logging", checkLogging],
  ["HourMetrics", checkMetrics],
  ["MinuteMetrics", checkMetrics],
  ["Cors", checkCorsRules],
  ["DefaultServiceVersion", checkVersion],
  ["DeleteRetentionPolicy", (section) => refuseEnabled(section, "the soft deletion of blobs")],
  ["StaticWebsite", (section) => refuseEnabled(section, "static websites")],
]);

function checkLogging(section: XmlElement): void {
  checkAnalytics(section);
  for (const name of ["Delete", "Read", "Write"]) isTrue(section, name);
}

function checkMetrics(section: XmlElement): void {
  checkAnalytics(section);
  const enabled = isTrue(section, "Enabled");
  if (enabled) isTrue(section, "IncludeAPIs");
  else if (childText(section, "IncludeAPIs") !== undefined) {
    throw invalidXml("<IncludeAPIs> is for metrics that are enabled.");
  }
}

function checkAnalytics(section: XmlElement): void {
  const version = childText(section, "Version");
  if (version === undefined) throw missingXmlNode("Version", section.name);
  if (version !== ANALYTICS_VERSION) {
    throw invalidXmlNode("Version", version, `and ${ANALYTICS_VERSION} is the only one`);
  }
  const policy = section.children.find(({ name }) => name === "RetentionPolicy");
  if (policy === undefined) throw missingXmlNode("RetentionPolicy", section.name);
  if (!isTrue(policy, "Enabled")) return;
  const days = childText(policy, "Days") ?? "";
  const count = /^\d{1,4}$/.test(days) ? Number(days) : 0;
  if (count >= 1 && count <= RETENTION_DAYS_MAX) return;
  throw invalidXmlNode("Days", days, `which is not 1 to ${RETENTION_DAYS_MAX}`);
}

function checkVersion({ text }: XmlElement): void {
  if (isKnownVersion(text.trim())) return;
  throw invalidXmlNode("DefaultServiceVersion", text, "which is no version served here");
}

function refuseEnabled(section: XmlElement, what: string): void {
  if (isTrue(section, "Enabled")) throw notImplemented(what);
}

function isTrue(parent: XmlElement, name: string): boolean {
  const value = childText(parent, name);
  if (value === undefined) throw missingXmlNode(name, parent.name);
  if (value === "true" || value === "false") return value === "true";
  throw invalidXmlNode(name, value, "which is neither true nor false");
}
