import { validate } from '@readme/openapi-parser'
import { expect, test } from 'vitest'
import { control } from '#contracts/mock/index.ts'
import { startPortal } from '#server/test/start-portal.ts'

test('the OpenAPI document of the control plane contains all of its endpoints, and that of the API contains none of them', async () => {
  await using portal = await startPortal({ scenario: 'empty' })
  const { body } = await portal.call(null, 'GET', '/mock/openapi.json')
  expect(await validate(structuredClone(body))).toMatchObject({ valid: true })
  const calls = Object.values<object>(body.paths).flatMap((path) => Object.keys(path))
  expect(calls).toHaveLength(Object.values(control).flatMap((contract) => Object.keys(contract)).length)
  const api = (await portal.call(null, 'GET', '/docs/json')).body
  expect(Object.keys(api.paths).filter((path) => path.startsWith('/mock'))).toEqual([])
})

test('the reference of the control plane is an interactive page behind the guard', async () => {
  await using portal = await startPortal({ scenario: 'empty' })
  const page = await portal.call(null, 'GET', '/mock/docs')
  expect([page.status, page.body]).toEqual([200, expect.stringContaining('swagger-ui')])
  expect(Object.keys((await portal.call(null, 'GET', '/mock/docs/json')).body.paths)).toContain('/mock/clock/advance')
  expect((await portal.call(null, 'GET', '/mock/docs', undefined, { host: 'portal.evil.example' })).status).toBe(403)
})
