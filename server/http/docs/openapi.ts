import type * as z from 'zod/mini'
import { api } from '#contracts/index.ts'
import { ErrorBody, type ErrorCode, errors } from '#contracts/lib/errors.ts'
import { CSRF_HEADER } from '#contracts/lib/requests.ts'
import {
  type Contract,
  findContentType,
  findUpload,
  getSuccess,
  isStaffAccess,
  listContentTypes,
  listErrorCodes,
  type Route,
  UPLOAD_FIELD,
} from '#contracts/lib/route.ts'
import { errorBody } from '#server/lib/errors.ts'
import { createModels } from './models.ts'
import { phonePaths } from './openapi-phones.ts'
import { TAGS } from './tags.ts'

type Json = { [key: string]: unknown }

const codes = Object.keys(errors) as ErrorCode[]
const FIELDS = { name: ['Too small: expected string to have >=1 characters'] }

/** Recorded requests and responses by endpoint, such as `links.create`, for the examples. */
export type RecordedExamples = Record<string, { params?: Json; query?: Json; body?: unknown; answer: unknown }>

const INFO = {
  title: 'Whereabouts API',
  version: '1.0.0',
  description: 'Every path answers alike with and without its trailing slash. Dates are ISO 8601 in UTC, money is in minor units.',
  license: { name: 'MIT', identifier: 'MIT' },
}

/** `extra` is added to every operation: parameters by component name, and security in addition to that of the route. */
type Extra = { parameters?: Json; securitySchemes?: Json; security?: Json[] }

export function buildOpenApi(
  resources: Record<string, Contract> = api,
  played: RecordedExamples = {},
  info: Omit<typeof INFO, 'license'> = INFO,
  extra: Extra = {},
) {
  const models = createModels()
  models.describe(ErrorBody, 'output')
  for (const route of Object.values(resources).flatMap((contract) => Object.values(contract))) {
    const { schema } = getSuccess(route)
    if (!findContentType(schema)) models.describe(schema, 'output')
  }
  const paths: Record<string, Json> = {}
  for (const [tag, contract] of Object.entries(resources)) {
    for (const [name, route] of Object.entries(contract)) {
      const path = route.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = {
        ...paths[path],
        [route.method.toLowerCase()]: buildOperation(models, { tag, name, route }, played[`${tag}.${name}`], extra),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: { ...info, license: INFO.license },
    servers: [{ url: '/' }],
    tags: [...Object.keys(resources), ...(resources === api ? ['phones'] : [])].map((name) => ({ name, description: TAGS[name] })),
    paths: (resources === api ? { ...paths, ...phonePaths } : paths) as Record<string, Json>,
    components: {
      schemas: models.list(),
      ...(extra.parameters && { parameters: extra.parameters }),
      examples: Object.fromEntries(
        listUsedCodes(resources).map((code) => [
          code,
          { value: { ...errorBody(code), ...(code === 'validation_error' && { errors: FIELDS }) } },
        ]),
      ),
      securitySchemes: extra.securitySchemes ?? {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of web_get_token' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'sessionid',
          description: `The cookie of web_get_token; calls that change something also need the header ${CSRF_HEADER}`,
        },
        apiToken: { type: 'http', scheme: 'bearer', description: 'An API token of users/tokens, allowed to do what the operation names' },
        device: { type: 'apiKey', in: 'header', name: 'X-Device-Key' },
        basic: { type: 'http', scheme: 'basic', description: 'A phone: its name or the number of its tracker, and a key' },
      },
    },
  }
}

type Models = ReturnType<typeof createModels>
type Named = { tag: string; name: string; route: Route }

function buildOperation(models: Models, { tag, name, route }: Named, played: RecordedExamples[string] | undefined, extra: Extra) {
  const { status, schema } = getSuccess(route)
  return {
    operationId: `${tag}.${name}`,
    tags: [tag],
    summary: route.summary,
    description: describeOperation(route),
    security: extra.security ?? buildSecurity(route),
    'x-safety': route.safety,
    'x-provenance': route.provenance,
    ...(Array.isArray(route.access) && { 'x-roles': route.access }),
    parameters: [
      ...buildParameters(models, route, played),
      ...Object.keys(extra.parameters ?? {}).map((key) => ({ $ref: `#/components/parameters/${key}` })),
    ],
    ...(route.body && {
      requestBody: { required: true, content: buildUploadContent(route.body) ?? buildContent(models, route.body, 'input', played?.body) },
    }),
    responses: {
      [status]: { description: 'Success', ...(status !== 204 && { content: buildContent(models, schema, 'output', played?.answer) }) },
      ...buildFailures(route),
    },
  }
}

/** The error codes of all operations, in the order of the table. */
function listUsedCodes(resources: Record<string, Contract>) {
  const used = new Set(Object.values(resources).flatMap((contract) => Object.values(contract).flatMap(listErrorCodes)))
  return codes.filter((code) => used.has(code))
}

const SAFETY = {
  read: 'It changes nothing.',
  reversible: 'What it changes can be changed back.',
  destructive: 'What it does cannot be undone.',
}
const PROVENANCE = { spec: '', assumed: '', ours: ' Other backends need not have it.' }

function describeOperation({ access, safety, provenance }: Route) {
  const caller =
    access === 'public'
      ? 'Needs no session.'
      : access === 'device'
        ? 'For devices with a key.'
        : isStaffAccess(access)
          ? `For staff with the role ${access.staff.join(', ')}.`
          : `For users with the role ${access.join(', ')}.`
  return `${caller} ${SAFETY[safety]}${PROVENANCE[provenance]}`
}

function buildSecurity(route: Route) {
  if (route.access === 'public') return []
  if (isStaffAccess(route.access)) return [{ staff: [] }, { staffKey: [] }]
  return route.access === 'device'
    ? [{ device: [] }]
    : [{ bearer: [] }, { session: [] }, ...(route.scope ? [{ apiToken: [route.scope] }] : [])]
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

const buildParameters = (models: Models, route: Route, played: RecordedExamples[string] | undefined) =>
  (['params', 'query'] as const).flatMap((part) => {
    const { properties = {}, required = [] } = route[part] ? models.describe(route[part], 'input') : {}
    return Object.entries(properties as Json).map(([name, schema]) => ({
      name,
      in: part === 'params' ? 'path' : 'query',
      required: part === 'params' || (required as string[]).includes(name),
      schema,
      ...(played?.[part]?.[name] !== undefined && { example: played[part][name] }),
    }))
  })

function buildContent(models: Models, schema: z.ZodMiniType, io: 'input' | 'output', example: unknown) {
  const files = listContentTypes(schema)
  const shown = example !== undefined && { example }
  if (files.length > 0) return Object.fromEntries(files.map((file) => [file, { ...shown }]))
  return { 'application/json': { schema: models.describe(schema, io), ...shown } }
}

/** Content of an endpoint that takes a file, as a form field or as the raw body; undefined for others. */
function buildUploadContent(schema: z.ZodMiniType) {
  const file = findUpload(schema)
  const bytes = { type: 'string', contentMediaType: file?.contentType }
  const form = { type: 'object', properties: { [UPLOAD_FIELD]: bytes }, required: [UPLOAD_FIELD] }
  return file && { 'multipart/form-data': { schema: form }, [file.contentType]: { schema: bytes } }
}
