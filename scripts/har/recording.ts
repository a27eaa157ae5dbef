import type { IncomingHttpHeaders } from 'node:http'
import { formatHar, type HarEntry } from './har-schema.ts'
import { replaceValues } from './replace-values.ts'

/** A request and response that passed the proxy; a body is undefined if there was none, null if it could not be read. */
export type PassedExchange = {
  method: string
  url: string
  requestBody: string | undefined
  status: number
  contentType: string
  location: string | undefined
  responseBody: string | null
  requestHeaders: IncomingHttpHeaders
  responseHeaders: IncomingHttpHeaders
  /** When the request arrived, and the milliseconds until the response began and until it ended. */
  at: Date
  waitMs: number
  ms: number
}

/** Collects what passes a proxy in front of `base`. Nothing reaches the disk before `format` has replaced private values. */
export function createRecording(base: string) {
  const passed: PassedExchange[] = []
  return {
    add: (exchange: PassedExchange) => void passed.push(exchange),
    format({ keepPeople = false }: { keepPeople?: boolean } = {}) {
      const entries = passed.sort((a, b) => a.at.getTime() - b.at.getTime()).map((exchange) => toEntry(exchange, base))
      return formatHar(replaceValues({ entries, people: 'real' }, { keepPeople }))
    },
  }
}

const toEntry = (exchange: PassedExchange, base: string): HarEntry => ({
  startedDateTime: exchange.at.toISOString(),
  time: exchange.ms,
  request: {
    method: exchange.method,
    url: base + exchange.url,
    headers: toPairs(exchange.requestHeaders),
    ...(exchange.requestBody !== undefined && { postData: { mimeType: 'application/json', text: exchange.requestBody } }),
  },
  response: { status: exchange.status, headers: toPairs(exchange.responseHeaders), content: toContent(exchange) },
  timings: { send: 0, wait: exchange.waitMs, receive: exchange.ms - exchange.waitMs },
})

const toPairs = (headers: IncomingHttpHeaders) =>
  Object.entries(headers).flatMap(([name, values = []]) => [values].flat().map((value) => ({ name, value })))

function toContent({ contentType, responseBody, status }: PassedExchange): HarEntry['response']['content'] {
  const mimeType = contentType
  if (contentType.includes('event-stream')) return { mimeType, comment: 'a stream, left out' }
  if (responseBody === null) return { mimeType, comment: 'the body is too long, was cut off, or has an unknown encoding' }
  if (responseBody === '' && status !== 204 && contentType !== '') return { mimeType, comment: 'a file, left out' }
  return { mimeType, text: responseBody }
}
