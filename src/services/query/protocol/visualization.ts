const NOTHING = {
  Visualization: null,
  Title: null,
  XColumn: null,
  Series: null,
  YColumns: null,
  AnomalyColumns: null,
  XTitle: null,
  YTitle: null,
  XAxis: null,
  YAxis: null,
  Legend: null,
  YSplit: null,
  Accumulate: false,
  IsQuerySorted: false,
  Kind: null,
  Ymin: "NaN",
  Ymax: "NaN",
  Xmin: null,
  Xmax: null,
};

/** What `render` asks for as JSON text, with every field that clients expect. */
export function visualizationText(asked: object | undefined): string {
  return JSON.stringify({ ...NOTHING, ...asked });
}
