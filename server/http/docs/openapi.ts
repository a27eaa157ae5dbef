import * as z from 'zod/mini'
import { api } from '#contracts/index.ts'
import { CSRF_HEADER } from '#contracts/lib/constants.ts'
import { ErrorBody, type ErrorCode, errors } from '#contracts/lib/errors.ts'
import { type Contract, findContentType, findUpload, getSuccess, listErrorCodes, type Route, UPLOAD_FIELD } from '#contracts/lib/route.ts'
import { errorBody } from '#server/lib/errors.ts'
import { phonePaths } from './openapi-phones.ts'

type Json = { [key: string]: unknown }

const codes = Object.keys(errors) as ErrorCode[]
const FIELDS = { name: ['Too small: expected string to have >=1 characters'] }

/** Recorded requests and responses by endpoint, such as `links.create`, for the examples. */
export type RecordedExamples = Record<string, { params?: Json; query?: Json; body?: unknown; answer: unknown }>

const INFO = {
  title: 'Whereabouts API',
  version: '1.0.0',
  description: 'Every path answers alike with and without its trailing slash. Dates are ISO 8601 in UTC, money is in minor units.',
}

export function buildOpenApi(resources: Record<string, Contract> = api, played: RecordedExamples = {}, info = INFO) {
  const paths: Record<string, Json> = {}
  for (const [tag, contract] of Object.entries(resources)) {
    for (const [name, route] of Object.entries(contract)) {
      const path = route.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: buildOperation(tag, name, route, played[`${tag}.${name}`]) }
    }
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: [...Object.keys(resources), ...(resources === api ? ['phones'] : [])].map((name) => ({ name })),
    paths: (resources === api ? { ...paths, ...phonePaths } : paths) as Record<string, Json>,
    components: {
      schemas: { Error: toJsonSchema(ErrorBody, 'output') },
      examples: Object.fromEntries(
        codes.map((code) => [code, { value: { ...errorBody(code), ...(code === 'validation_error' && { errors: FIELDS }) } }]),
      ),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of web_get_token' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'sessionid',
          description: `The cookie of web_get_token; calls that change something also need the header ${CSRF_HEADER}`,
        },
        device: { type: 'apiKey', in: 'header', name: 'X-Device-Key' },
        basic: { type: 'http', scheme: 'basic', description: 'A phone: its name or the number of its tracker, and a key' },
      },
    },
  }
}

function buildOperation(tag: string, name: string, route: Route, played: RecordedExamples[string] | undefined) {
  const { status, schema } = getSuccess(route)
  return {
    operationId: `${tag}.${name}`,
    tags: [tag],
    summary: route.summary,
    security: buildSecurity(route),
    'x-safety': route.safety,
    'x-provenance': route.provenance,
    ...(Array.isArray(route.access) && { 'x-roles': route.access }),
    parameters: buildParameters(route, played),
    ...(route.body && {
      requestBody: { required: true, content: buildUploadContent(route.body) ?? buildContent(route.body, 'input', played?.body) },
    }),
    responses: {
      [status]: { description: 'Success', ...(status !== 204 && { content: buildContent(schema, 'output', played?.answer) }) },
      ...buildFailures(route),
    },
  }
}

function buildSecurity(route: Route) {
  if (route.access === 'public') return []
  return route.access === 'device' ? [{ device: [] }] : [{ bearer: [] }, { session: [] }]
}

function buildFailures(route: Route) {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of listErrorCodes(route)) byStatus.set(errors[code], [...(byStatus.get(errors[code]) ?? []), code])
  const schema = { $ref: '#/components/schemas/Error' }
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => {
      const examples = Object.fromEntries(of.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
      return [status, { description: of.join(', '), content: { 'application/json': { schema, examples } } }]
    }),
  )
}

const buildParameters = (route: Route, played: RecordedExamples[string] | undefined) =>
  (['params', 'query'] as const).flatMap((part) => {
    const { properties = {}, required = [] } = route[part] ? toJsonSchema(route[part], 'input') : {}
    return Object.entries(properties as Json).map(([name, schema]) => ({
      name,
      in: part === 'params' ? 'path' : 'query',
      required: part === 'params' || (required as string[]).includes(name),
      schema,
      ...(played?.[part]?.[name] !== undefined && { example: played[part][name] }),
    }))
  })

function buildContent(schema: z.ZodMiniType, io: 'input' | 'output', example: unknown) {
  const contentType = findContentType(schema)
  const shown = example !== undefined && { example }
  if (contentType) return { [contentType]: { ...shown } }
  const described = toJsonSchema(schema, io)
  return { 'application/json': { schema: io === 'output' ? openObjects(described) : described, ...shown } }
}

/** A response may have more fields than the contract names, as a client ignores them. */
function openObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openObjects)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key, inner]) => key !== 'additionalProperties' || inner !== false)
  return Object.fromEntries(kept.map(([key, inner]) => [key, openObjects(inner)]))
}

/** Content of an endpoint that takes a file, as a form field or as the raw body; undefined for others. */
function buildUploadContent(schema: z.ZodMiniType) {
  const file = findUpload(schema)
  const bytes = { type: 'string', contentMediaType: file?.contentType }
  const form = { type: 'object', properties: { [UPLOAD_FIELD]: bytes }, required: [UPLOAD_FIELD] }
  return file && { 'multipart/form-data': { schema: form }, [file.contentType]: { schema: bytes } }
}

function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return own
}
