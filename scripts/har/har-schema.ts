import * as z from 'zod/mini'

const Pair = z.object({ name: z.string(), value: z.string() })
const Body = z.object({ mimeType: z._default(z.string(), ''), text: z.optional(z.string()), comment: z.optional(z.string()) })

/** The parts of an entry that are read, and all that are written. */
const Entry = z.object({
  startedDateTime: z.string(),
  time: z._default(z.number(), 0),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z._default(z.array(Pair), []),
    postData: z.optional(Body),
  }),
  response: z.object({
    status: z.int(),
    headers: z._default(z.array(Pair), []),
    content: z._default(z.extend(Body, { encoding: z.optional(z.string()) }), { mimeType: '' }),
  }),
  timings: z.optional(z.object({ send: z.number(), wait: z.number(), receive: z.number() })),
})

/** A request and its response. For a missing body, `comment` gives the reason. */
export type HarEntry = z.infer<typeof Entry>

/** `people` says whether names and addresses of people were replaced. */
export type Recording = { entries: HarEntry[]; people: 'replaced' | 'real' }

const Archive = z.object({ log: z.object({ entries: z.array(z.unknown()), _people: z.optional(z.string()) }) })

/** The file is no HTTP archive, or an entry is no request; the message names the problem. */
export class HarError extends Error {}

/** Reads an HTTP archive, as a browser or `contracts:proxy --record` saved it. Bodies in base64 become text. */
export function readHar(text: string): Recording {
  const { data, error } = Archive.safeParse(parseJson(text))
  if (!data) throw new HarError(`not an HTTP archive: ${describe(error.issues[0]!)}`)
  const entries = data.log.entries.map((one, index) => {
    const read = Entry.safeParse(one)
    if (!read.data) throw new HarError(`entry ${index + 1}: ${describe(read.error.issues[0]!)}`)
    if (!URL.canParse(read.data.request.url)) throw new HarError(`entry ${index + 1}: request.url “${read.data.request.url}” is no URL`)
    if (Number.isNaN(Date.parse(read.data.startedDateTime)))
      throw new HarError(`entry ${index + 1}: startedDateTime “${read.data.startedDateTime}” is no time`)
    return decodeContent(read.data)
  })
  return { entries, people: data.log._people === 'replaced' ? 'replaced' : 'real' }
}

const describe = ({ path, message }: { path: PropertyKey[]; message: string }) => `${path.join('.') || 'the file'}: ${message}`

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function decodeContent(entry: HarEntry): HarEntry {
  const { encoding, ...content } = entry.response.content
  if (encoding === undefined || encoding === '') return { ...entry, response: { ...entry.response, content: explainMissing(content) } }
  const text = encoding === 'base64' ? decodeBase64(content.text ?? '') : undefined
  const { text: _, ...rest } = content
  const decoded =
    text === undefined
      ? { ...rest, comment: encoding === 'base64' ? 'the body is no text' : `the body has the unknown encoding ${encoding}` }
      : { ...rest, text }
  return { ...entry, response: { ...entry.response, content: decoded } }
}

/** Browsers omit bodies that they have dropped from memory. */
const explainMissing = (content: HarEntry['response']['content']) =>
  content.text === undefined ? { ...content, comment: content.comment ?? 'the file has no body for it' } : content

function decodeBase64(text: string) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'))
  } catch {
    return undefined
  }
}

/** Formats a recording as HAR 1.2. */
export function formatHar({ entries, people }: Recording): string {
  const log = { version: '1.2', creator: { name: 'Whereabouts', version: '1' }, entries: entries.map(formatEntry), _people: people }
  return `${JSON.stringify({ log }, null, 1)}\n`
}

function formatEntry({ startedDateTime, time, request, response, timings }: HarEntry) {
  const { postData, ...sent } = request
  const about = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }
  return {
    startedDateTime,
    time,
    request: {
      ...about,
      ...sent,
      queryString: [...new URL(request.url).searchParams].map(([name, value]) => ({ name, value })),
      ...(postData && { postData: { ...postData, text: postData.text ?? '' } }),
      bodySize: Buffer.byteLength(postData?.text ?? ''),
    },
    response: {
      ...about,
      statusText: '',
      redirectURL: '',
      ...response,
      content: { size: Buffer.byteLength(response.content.text ?? ''), ...response.content },
      bodySize: -1,
    },
    cache: {},
    timings: timings ?? { send: 0, wait: time, receive: 0 },
  }
}
