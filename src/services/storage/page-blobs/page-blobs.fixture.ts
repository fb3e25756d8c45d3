import { send, type Got, type TestStorage } from "../storage.fixture.ts";

export const PAGE = 512;

/** A page blob of so many pages, and the container that it is in. */
export async function createPageBlob(
  storage: TestStorage,
  path: string,
  pages: number,
): Promise<Got> {
  const [container = ""] = path.split("/");
  await send(storage, `${container}?restype=container`);
  const headers = {
    "x-svc-blob-type": "PageBlob",
    "x-svc-blob-content-length": String(pages * PAGE),
  };
  return send(storage, path, { headers });
}

/** Writes whole pages, all of them of one character. */
export function writePages(
  storage: TestStorage,
  path: string,
  first: number,
  { text, count = 1, ...headers }: { text: string; count?: number } & Record<string, unknown>,
): Promise<Got> {
  const range = `bytes=${first * PAGE}-${(first + count) * PAGE - 1}`;
  return send(storage, `${path}?comp=page`, {
    headers: { "x-svc-page-write": "update", "x-svc-range": range, ...textsOf(headers) },
    body: text.repeat(count * PAGE),
  });
}

export function clearPages(
  storage: TestStorage,
  path: string,
  first: number,
  count = 1,
): Promise<Got> {
  const range = `bytes=${first * PAGE}-${(first + count) * PAGE - 1}`;
  const headers = { "x-svc-page-write": "clear", "x-svc-range": range };
  return send(storage, `${path}?comp=page`, { headers });
}

/** The first character of every page, a dot for zeros. */
export async function pagesOf(storage: TestStorage, path: string): Promise<string> {
  const { bytes } = await send(storage, path, { method: "GET" });
  const pages = Array.from({ length: bytes.length / PAGE }, (_, page) => {
    const part = bytes.subarray(page * PAGE, (page + 1) * PAGE);
    if (part.some((byte) => byte !== part[0])) return "?";
    return part[0] === 0 ? "." : String.fromCharCode(part[0] ?? 0);
  });
  return pages.join("");
}

/** A list of ranges in pages, such as `0-1 !3-3`; the exclamation mark is a cleared one. */
export function rangesIn({ text }: Got): string {
  const found = text.matchAll(
    /<(Page|Clear)Range><Start>(\d+)<\/Start><End>(\d+)<\/End><\/\1Range>/g,
  );
  return [...found]
    .map(([, kind, start, end]) => {
      const mark = kind === "Clear" ? "!" : "";
      return `${mark}${Number(start) / PAGE}-${(Number(end) + 1) / PAGE - 1}`;
    })
    .join(" ");
}

function textsOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
