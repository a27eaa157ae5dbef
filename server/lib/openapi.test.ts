import { validate } from '@readme/openapi-parser'
import { expect, test } from 'vitest'
import { startPortal } from '#server/mock/testing.ts'
import { openapi } from './openapi.ts'

test('the API reference is valid OpenAPI 3.1', async () => {
  expect(await validate(structuredClone(openapi()) as never)).toMatchObject({ valid: true })
})

test('every path is listed with its roles, safety and provenance', () => {
  const operations = Object.values(openapi().paths).flatMap((path) => Object.values(path))
  expect(operations.length).toBeGreaterThan(30)
  for (const operation of operations)
    expect(operation).toMatchObject({ 'x-safety': expect.any(String), 'x-provenance': expect.stringMatching(/spec|assumed/) })
})

test('the API reference can be read at /docs', async () => {
  await using portal = await startPortal()
  const page = await portal.app.inject('/docs/')
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain('swagger-ui')
  const document = await portal.app.inject('/docs/json')
  expect(document.json().openapi).toBe('3.1.0')
})
