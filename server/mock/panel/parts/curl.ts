type Call = { method: string; url: string; request: { headers: Record<string, string>; body: string } }
type Target = { origin: string; world: string; token?: string | undefined }

/** Headers that a server needs besides the session; the rest are the browser's own. */
const HEADERS = ['content-type', 'accept-language', 'if-none-match', 'last-event-id', 'range']

/** A shell command that repeats a call of the journal. Secrets are not in the journal, so `$TOKEN` stands for an unknown session. */
export function formatCurl({ method, url, request }: Call, { origin, world, token }: Target): string {
  const { headers, body } = request
  const isSignedIn = 'authorization' in headers || 'cookie' in headers
  return [
    `curl -i${method === 'GET' ? '' : ` -X ${method}`} ${quote(withoutWorldName(origin) + url)}`,
    ...(world === 'main' ? [] : [`-H ${quote(`x-world: ${world}`)}`]),
    ...(isSignedIn ? [token ? `-H ${quote(`authorization: Bearer ${token}`)}` : '-H "authorization: Bearer $TOKEN"'] : []),
    ...HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [`-H ${quote(`${name}: ${headers[name]}`)}`])),
    ...(body === '' ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' \\\n  ')
}

/** Not every resolver knows `w-mine.localhost`; the header names the world as well. */
const withoutWorldName = (origin: string) => origin.replace(/\/\/[^/]+\.localhost(?=:|$)/, '//localhost')

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
