import { STATUS_CODES } from 'node:http'
import type { Entry } from './journal.ts'

/** Formats the journal as an HTTP archive (HAR 1.2); fields outside the format start with an underscore. */
export const formatHar = (entries: readonly Entry[], origin: string) => ({
  log: { version: '1.2', creator: { name: 'Whereabouts', version: '1' }, entries: entries.map((entry) => formatHarEntry(entry, origin)) },
})

function formatHarEntry({ at, ms, method, url, call, status, request, response, verdict, breaches }: Entry, origin: string) {
  const full = new URL(url, origin)
  const type = response.headers['content-type'] ?? ''
  return {
    startedDateTime: at.toISOString(),
    time: ms,
    request: {
      method,
      url: full.href,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(request.headers),
      queryString: [...full.searchParams].map(([name, value]) => ({ name, value })),
      ...(request.body && { postData: { mimeType: request.headers['content-type'] ?? '', text: request.body } }),
      headersSize: -1,
      bodySize: request.body.length,
    },
    response: {
      status,
      statusText: STATUS_CODES[status] ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(response.headers),
      content: { size: response.body.length, mimeType: type, text: response.body },
      redirectURL: '',
      headersSize: -1,
      bodySize: response.body.length,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    _route: call?.name ?? null,
    _user: call?.user ?? null,
    _verdict: verdict,
    _breaches: breaches,
  }
}

const toPairs = (headers: Record<string, string>) => Object.entries(headers).map(([name, value]) => ({ name, value }))
