/** A few calls of the HTTP API for one project. */
export interface Client {
  /** Path below `/v2/agent/<project>`. @throws Error with the server's own sentence */
  get(path: string): Promise<unknown>
  post(path: string, body: unknown): Promise<unknown>
}

export function buildClient(input: { url: string; key: string | undefined; projectId: string }): Client {
  const { url, key, projectId } = input
  if (!key) throw new Error('An API key is needed: set CORRIGENDA_API_KEY (make one with "corrigenda key create").')
  const base = `${url.replace(/\/$/, '')}/v2/agent/${encodeURIComponent(projectId)}`
  const send = async (path: string, init: { method: string; body?: string; headers?: Record<string, string> }) => {
    const headers = { ...init.headers, authorization: `Bearer ${key}` }
    const response = await fetch(base + path, { ...init, headers }).catch(() => {
      throw new Error(
        `Nothing answers at ${new URL(url).origin}. Is the API running? (--url or CORRIGENDA_URL says where)`,
      )
    })
    const text = await response.text()
    const body = toJson(text)
    if (response.ok && body !== undefined) return body
    if (body instanceof Object && 'error' in body) throw new Error(String(body.error))
    throw new Error(
      `What answers at ${new URL(url).origin} (${response.status}) is not the API of Corrigenda. Check --url or CORRIGENDA_URL.`,
    )
  }
  return {
    get: (path) => send(path, { method: 'GET' }),
    post: (path, body) =>
      send(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }
}

/** Undefined for what is no JSON, such as a page of something else that answers at this address. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
