import { writeFile } from "node:fs/promises";
import { configurationPage } from "./document.ts";

await writeFile(
  new URL("../../../docs/reference/configuration.md", import.meta.url),
  configurationPage(),
);
