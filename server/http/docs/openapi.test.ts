import path from 'node:path'
import { validate } from '@readme/openapi-parser'
import { expect, test } from 'vitest'
import { buildReference } from '#server/mock/control/reference.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { buildOpenApi } from './openapi.ts'

test('the API reference is valid OpenAPI 3.1', async () => {
  expect(await validate(structuredClone(buildOpenApi()) as never)).toMatchObject({ valid: true })
})

test('every operation of the API reference states its safety and provenance', () => {
  const operations = Object.values(buildOpenApi().paths).flatMap((path) => Object.values(path))
  expect(operations.length).toBeGreaterThan(30)
  for (const operation of operations)
    expect(operation).toMatchObject({ 'x-safety': expect.any(String), 'x-provenance': expect.stringMatching(/spec|assumed|ours/) })
})

test('the references name their models, describe every tag and operation, and explain how to choose a world and the control plane', () => {
  const [portal, mock] = [buildOpenApi(), buildReference()]
  expect(portal.components.schemas).toMatchObject({ Device: { type: 'object' }, Place: { type: 'object' }, Error: { type: 'object' } })
  expect(mock.components.schemas).toMatchObject({ World: { type: 'object' }, Snapshot: { type: 'object' } })
  for (const { tags, paths, components } of [portal, mock]) {
    expect(tags.filter(({ description }) => !description)).toEqual([])
    const operations = Object.values(paths).flatMap(
      (path) => Object.values(path) as { operationId: string; summary?: string; description?: string }[],
    )
    expect(operations.filter(({ description, summary }) => !(description ?? summary))).toEqual([])
    const used = [...JSON.stringify([paths, components]).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!)
    expect(used.filter((name) => !(name in components.schemas))).toEqual([])
  }
  expect(mock.paths['/mock/clock']?.get).toMatchObject({
    parameters: [{ $ref: '#/components/parameters/World' }],
    security: [{ control: [] }, {}],
  })
})

test.each(['/docs', '/docs/'])('the API reference is served at %s without other hosts', async (url) => {
  await using portal = await startPortal()
  const page = await portal.app.inject(url)
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain('swagger-ui')
  expect(page.headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; " +
      "base-uri 'none'; frame-ancestors 'none'",
  )
  const document = await portal.app.inject('/docs/json')
  expect(document.json().openapi).toBe('3.1.0')
})

test('the API reference shows recorded examples, and in a demo explains how to sign in', async () => {
  const reference = buildOpenApi(undefined, { 'users.me': { answer: { username: 'somebody' } } })
  await using portal = await startPortal({ app: { reference } })
  const document = (await portal.app.inject('/docs/json')).json()
  expect(document.paths['/users/me/'].get.responses[200].content['application/json'].example).toEqual({ username: 'somebody' })
  expect(document.info.description).not.toContain('Demo-1234')
  const config = { apiBaseUrl: '', productName: 'x', supportEmail: 'x', tiles: { url: '', attribution: '', maxZoom: 1 } }
  const demo = { password: 'Demo-1234', accounts: ['alice@example.com'] }
  await using shown = await startPortal({ app: { portal: { root: path.resolve('docs/decisions'), config: { ...config, demo } } } })
  expect((await shown.app.inject('/docs/json')).json().info.description).toMatch(/web_get_token.*Authorize.*Demo-1234.*alice/s)
})
