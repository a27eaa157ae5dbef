import { validate } from '@readme/openapi-parser'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { errors } from '#contracts/lib/errors.ts'
import { findContentType, getSuccess, listErrorCodes } from '#contracts/lib/route.ts'
import { buildOpenApi, type RecordedExamples } from '#server/http/docs/openapi.ts'
import { buildReference } from '#server/mock/control/reference.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { endpoints, type NamedEndpoint } from '#server/test/examples/all.ts'
import { playAll } from './write-openapi.ts'

let played: RecordedExamples = {}
let document: ReturnType<typeof buildOpenApi>
beforeAll(async () => {
  played = await playAll()
  document = buildOpenApi(undefined, played)
})

const withJson = endpoints.filter(({ route }) => getSuccess(route).status !== 204 && !findContentType(getSuccess(route).schema))

const nameOf = ({ name }: NamedEndpoint) => name

describe('examples of the API reference', () => {
  test('the example response of every JSON endpoint matches its schema', async () => {
    const failures = await collectFailures(withJson, nameOf, ({ name, route }) =>
      expect(z.safeParse(getSuccess(route).schema as z.ZodMiniType, played[name]?.answer).error).toBeUndefined(),
    )
    expect(failures).toEqual([])
  })

  test('the example of a CSV or a stream is its beginning, and a PDF has none', () => {
    expect(played['positions.exportCsv']?.answer).toMatch(/^\uFEFF?datetime,latitude,longitude/)
    expect(played['positions.live']?.answer).toMatch(/^: live\nretry: \d+\n/)
    expect(played['theft.form']?.answer).toBeUndefined()
  })

  test('examples are documented with parameters, request bodies, responses and errors', () => {
    expect(document.paths['/devices/{id}/public_share_link/']?.post).toMatchObject({
      parameters: [{ name: 'id', example: 2 }],
      requestBody: { content: { 'application/json': { example: { label: 'For the vet' } } } },
      responses: {
        201: { content: { 'application/json': { example: { label: 'For the vet', permanent: false } } } },
        409: { content: { 'application/json': { examples: { too_many_links: { $ref: '#/components/examples/too_many_links' } } } } },
      },
    })
    expect(document.components.examples.too_many_links).toEqual({ value: { detail: 'too many links', code: 'too_many_links' } })
  })

  test('the OpenAPI document with examples is valid', async () => {
    expect(await validate(structuredClone(document) as never)).toMatchObject({ valid: true })
  })
})

test('every endpoint documents all its error codes', async () => {
  const failures = await collectFailures(endpoints, nameOf, ({ route }) => {
    const path = document.paths[route.path.replace(/:(\w+)/g, '{$1}')] as Record<string, { responses: Record<string, object> }>
    const { responses } = path[route.method.toLowerCase()]!
    for (const code of listErrorCodes(route)) expect(JSON.stringify(responses[errors[code]])).toContain(`/${code}"`)
  })
  expect(failures).toEqual([])
})

const CLOSED = '"additionalProperties":false'

test('in the documents every response may have more fields than the contract names', () => {
  for (const written of [document, buildReference()]) {
    const operations = Object.values(written.paths).flatMap((path) => Object.values(path) as { responses: object }[])
    expect(operations.length).toBeGreaterThan(30)
    expect(operations.filter(({ responses }) => JSON.stringify(responses).includes(CLOSED))).toEqual([])
  }
})
