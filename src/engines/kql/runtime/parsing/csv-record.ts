const FIELD = /(?:"([^"]*(?:""[^"]*)*)"[^,\r\n]*|([^,\r\n]*))(,|\r\n|\n|\r|$)/y;

/** The fields of the first record of CSV text; quotes hold commas, line ends and doubled quotes. */
export function parseCsvRecord(text: string): string[] {
  const fields: string[] = [];
  FIELD.lastIndex = 0;
  for (let end = ","; end === ",";) {
    const match = FIELD.exec(text);
    if (match === null) break;
    const [, quoted, plain, separator = ""] = match;
    fields.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    end = separator;
  }
  return fields;
}
