import { parseArgs } from "node:util";
import { crash } from "./crash.ts";

/** `npm run crash -- --kills 200`: ends in `N kills: 0 lost, 0 half written`, else fails. */
const PROGRESS_EVERY = 10;
const KILLS_DEFAULT = "200";

const { values } = parseArgs({ options: { kills: { type: "string", default: KILLS_DEFAULT } } });
const kills = Number(values.kills);
if (Number.isInteger(kills) && kills > 0) await run(kills);
else {
  console.error(`Error: --kills takes a whole number from 1, not "${values.kills}".`);
  process.exitCode = 1;
}

async function run(wanted: number): Promise<void> {
  let shown = 0;
  const report = await crash({
    kills: wanted,
    onProgress(killed, acknowledged) {
      if (killed < shown + PROGRESS_EVERY) return;
      shown = killed;
      console.log(`${killed} of ${wanted} kills, ${acknowledged} writes acknowledged`);
    },
  });
  const { violations } = report;
  for (const { kind, text } of violations) console.error(`${kind}: ${text}`);
  if (violations.length > 0) {
    console.error(`The data is kept in ${report.data}`);
    process.exitCode = 1;
  }
  const count = (kind: string) => violations.filter((violation) => violation.kind === kind).length;
  const wrong = count("wrong") > 0 ? `, ${count("wrong")} wrong answers` : "";
  console.log(`${report.acknowledged} writes acknowledged`);
  console.log(
    `${report.kills} kills: ${count("lost")} lost, ${count("half")} half written${wrong}`,
  );
}
