/** English (United States), the one language that labels are in. */
const LANGUAGE = 1033;

/** A text as metadata shows texts for people. */
export function labelOf(text: string) {
  const label = { Label: text, LanguageCode: LANGUAGE, IsManaged: false };
  return { LocalizedLabels: [label], UserLocalizedLabel: label };
}

/** A property that somebody with the right may change. */
export function managed<Value>(value: Value) {
  return { Value: value, CanBeChanged: false, ManagedPropertyLogicalName: "" };
}
