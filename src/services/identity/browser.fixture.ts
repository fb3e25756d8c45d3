import type { InjectOptions, LightMyRequestResponse } from "fastify";

type Inject = (request: InjectOptions) => Promise<LightMyRequestResponse>;

/** A browser without JavaScript: it keeps cookies and sends the form that it was shown. */
export function browser(inject: Inject) {
  const cookies = new Map<string, string>();
  let shown = "";

  async function visit(request: InjectOptions): Promise<LightMyRequestResponse> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...request.headers, ...(cookie !== "" && { cookie }) };
    const answer = await inject({ ...request, headers });
    for (const { name, value, maxAge } of answer.cookies) {
      if (maxAge === 0) cookies.delete(name);
      else cookies.set(name, value);
    }
    shown = answer.body;
    return answer;
  }

  /** Sends the form on the page, with these fields filled in. */
  async function submit(filled: Record<string, string>, url = actionOf(shown)) {
    const form = new URLSearchParams({ ...hiddenOf(shown), ...filled });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return visit({ method: "POST", url, payload: form.toString(), headers });
  }

  return {
    cookies,
    get: (url: string) => visit({ method: "GET", url }),
    submit,
    hidden: () => hiddenOf(shown),
    /** Signs in on the form that is shown and goes where that leads. */
    async signIn(user: { readonly username: string; readonly password: string }) {
      const answer = await submit(user);
      if (answer.statusCode !== 303) return answer;
      return visit({ method: "GET", url: String(answer.headers.location) });
    },
  };
}

function actionOf(page: string): string {
  return /<form[^>]*action="([^"]*)"/.exec(page)?.[1] ?? "";
}

function hiddenOf(page: string): Record<string, string> {
  const found = page.matchAll(/<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g);
  return Object.fromEntries([...found].map(([, name = "", value = ""]) => [name, plain(value)]));
}

function plain(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}
