import fc from 'fast-check'
import { findUpload } from '#contracts/lib/route.ts'
import seededPhotos from '#server/mock/seed/records/photos.json' with { type: 'json' }
import type { NamedEndpoint } from '#server/test/examples/all.ts'
import type { Caller } from '#server/test/examples/example.ts'
import { buildUrl } from '#server/test/examples/send-example.ts'
import { GPX } from '#server/test/examples/trackers.ts'
import { fromSchema } from './test-from-schema.ts'
import { brokenJson, hostileNumber, hostileText, hostileValue } from './test-hostile.ts'

export type FuzzRequest = { path: string; headers: Record<string, string>; payload: string | Buffer | undefined; as: Caller | 'dario' }

const PHOTO = Buffer.from(seededPhotos.rex.small, 'base64')

/** A file for each kind of upload. */
const FILES: Record<string, string> = { 'text/csv': 'name,address,type\nVet,Ellauri 350,other\n', 'application/octet-stream': GPX }

/** The request of the example, which is known to succeed. */
export function exampleRequest({ name, route, example }: NamedEndpoint): FuzzRequest {
  const upload = findUpload(route.body)
  return {
    path: buildUrl(route, example),
    headers: { 'content-type': upload?.contentType ?? 'application/json' },
    payload: name === 'photos.save' ? PHOTO : upload ? FILES[upload.contentType] : route.body && JSON.stringify(example.body),
    as: route.access === 'public' ? null : (example.as ?? 'alice'),
  }
}

/** Requests for one endpoint: valid ones, ones with a single mistake, and garbage. */
export function fuzzRequests({ route, example }: NamedEndpoint): fc.Arbitrary<FuzzRequest> {
  const path = fc.tuple(...bodyParts(route.path, example.params ?? {})).map((parts) => parts.join('/'))
  const usual = example.as ?? 'alice'
  return fc.record({
    path: fc.tuple(path, queries(route.query && fromSchema(route.query), example.query ?? {})).map((parts) => parts.join('')),
    headers: fc
      .tuple(mostly(contentType, findUpload(route.body)?.contentType ?? 'application/json'), mostly(oddHeaders, {}))
      .map(([type, others]) => ({ 'content-type': type, ...others })),
    payload: findUpload(route.body)
      ? csvFiles
      : route.body
        ? payloads(fromSchema(route.body), example.body)
        : mostly(fc.option(brokenJson, { nil: undefined }), undefined),
    as: route.access === 'public' ? fc.constant(null) : fc.constantFrom(usual, usual, usual, usual, usual, 'alice', 'dario', 'admin', null),
  })
}

const mostly = <T, U>(strange: fc.Arbitrary<T>, usual: U) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: strange })

const csvFiles = fc
  .array(fc.oneof(fc.constantFrom('Vet,Ellauri 350,other', 'Vet;Ellauri 350;other', '"', '', 'a,b', 'Vet,"Qwertz 1",castle'), hostileText))
  .chain((rows) => fc.constantFrom('name,address,type\n', 'TYPE;name;address\r\n', '').map((header) => header + rows.join('\n')))

const bodyParts = (path: string, params: Record<string, unknown>) =>
  path.split('/').map((part) => (part.startsWith(':') ? parameter(params[part.slice(1)]) : fc.constant(part)))

const parameter = (usual: unknown): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 14, arbitrary: fc.constant(encodeURIComponent(String(usual))) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 60 }).map(String) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('1e99', '-0', '-1', '%00', '%', '%ff', '1%2F2', '0x1', '1.5', ' 1', '９', '9'.repeat(200)),
    },
    { weight: 1, arbitrary: hostileText.map(encoded) },
  )

/** A lone surrogate can't be encoded in a path, and a segment of dots would lead to another endpoint. */
const encoded = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD').replace(/^\.{1,2}$/, 'dots'))

function queries(valid: fc.Arbitrary<unknown> | undefined, usual: Record<string, unknown>) {
  const pairs = (from: Record<string, unknown>) =>
    Object.entries(from).map(
      ([name, value]) => `${encoded(name)}=${encoded(typeof value === 'string' ? value : String(JSON.stringify(value)))}`,
    )
  const search = (from: Record<string, unknown>) => (Object.keys(from).length > 0 ? `?${pairs(from).join('&')}` : '')
  return fc.oneof(
    fc.constant(search(usual)),
    (valid ?? fc.constant({})).map((query) => search(query as Record<string, unknown>)),
    fc.tuple(hostileText, hostileText).map(([name, value]) => search({ ...usual, [name]: value })),
    fc.tuple(fc.constantFrom(...Object.keys(usual), 'page'), hostileText).map(([name, value]) => search({ ...usual, [name]: value })),
    fc.constantFrom('?', '??', '?&&&', '?=', '?a=1&a=2&type=x&type=y', '?__proto__=1', '?page[]=1', `?${'a=b&'.repeat(300)}`),
  )
}

function payloads(valid: fc.Arbitrary<unknown>, example: unknown): fc.Arbitrary<string | undefined> {
  const leaves = listLeaves(example)
  const near = leaves.map(({ path, value }) => similarValues(value).map((other) => withLeaf(example, path, other)))
  const far = fc
    .tuple(fc.constantFrom(...leaves.map(({ path }) => path), ['__proto__'], ['extra']), hostileValue)
    .map(([path, value]) => withLeaf(example, path, value))
  const json = (values: fc.Arbitrary<unknown>) => values.map((value) => JSON.stringify(value))
  return fc.oneof(
    ...near.map((values) => ({ weight: Math.ceil(8 / near.length), arbitrary: json(values) })),
    { weight: 5, arbitrary: json(valid) },
    { weight: 2, arbitrary: fc.constant(JSON.stringify(example)) },
    { weight: 3, arbitrary: json(far) },
    { weight: 1, arbitrary: json(hostileValue) },
    { weight: 2, arbitrary: brokenJson },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

type Leaf = { path: string[]; value: unknown }

/** Every primitive of a body with its path. */
const listLeaves = (value: unknown, path: string[] = []): Leaf[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => listLeaves(inner, [...path, key]))
    : [{ path, value }]

/** Replacements that a loose schema might accept. */
function similarValues(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === 'string') return hostileText
  return typeof value === 'number' ? hostileNumber : fc.constantFrom(true, false, null, 0, '')
}

function withLeaf(body: unknown, [key, ...rest]: string[], leaf: unknown): unknown {
  if (key === undefined) return leaf
  if (Array.isArray(body)) return body.map((item, index) => (String(index) === key ? withLeaf(item, rest, leaf) : item))
  const inner = withLeaf((body as Record<string, unknown>)[key], rest, leaf)
  return { ...(body as object), [key]: inner }
}

const contentType = fc.constantFrom(
  'application/json; charset=utf-16',
  'application/json;',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
  'text/csv',
  'text/plain',
  'application/xml',
  '*/*',
  '/',
  '',
)

const oddHeaders = fc.oneof(
  fc.constantFrom<Record<string, string>>(
    { authorization: 'Bearer' },
    { authorization: `Bearer ${'a'.repeat(6000)}` },
    { authorization: 'Basic Og==' },
    { cookie: 'sessionid=%00; csrftoken=%' },
    { cookie: ';;;=;=a;__proto__=b' },
    { 'if-none-match': '*' },
    { 'last-event-id': '-1' },
    { 'last-event-id': '9'.repeat(40) },
    { 'accept-language': 'xx-'.repeat(500) },
    { 'accept-encoding': 'br;q=9, \u00ff' },
    { 'x-forwarded-for': "127.0.0.1, ';--" },
    { 'x-http-method-override': 'DELETE' },
    { range: 'bytes=0-18446744073709551615' },
    { origin: 'null' },
    { expect: '200-maybe' },
  ),
)
