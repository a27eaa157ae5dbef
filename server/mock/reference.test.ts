import { validate } from '@readme/openapi-parser'
import { expect, test } from 'vitest'
import { control } from '#contracts/mock/index.ts'
import { startPortal } from './testing.ts'

test('E.6 the control plane has a reference of its own with every call in it, and the API has none of them', async () => {
  await using portal = await startPortal({ scenario: 'empty' })
  const { body } = await portal.call(null, 'GET', '/mock/openapi.json')
  expect(await validate(structuredClone(body))).toMatchObject({ valid: true })
  const calls = Object.values<object>(body.paths).flatMap((path) => Object.keys(path))
  expect(calls).toHaveLength(Object.values(control).flatMap((contract) => Object.keys(contract)).length)
  const api = (await portal.call(null, 'GET', '/docs/json')).body
  expect(Object.keys(api.paths).filter((path) => path.startsWith('/mock'))).toEqual([])
})
