import { expect, test } from 'vitest'
import { api } from '#contracts/index.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { createClient } from './api.ts'

test('R-1.15 the file a user picks reaches the server', async () => {
  await using portal = await startPortal()
  const token = await portal.token('alice@example.com')
  const outside = { base: '', fetch: portal.fetch, token: () => token, cookies: () => '', log: { failure() {} }, onLeave: () => false }
  const places = createClient(api.places, () => outside)
  const body = new File(['name,address,type\nVet,Ellauri 350,other\n'], 'places.csv', { type: 'text/csv' })
  const { created, errors } = await places.importCsv({ body })
  expect([created.map(({ name }) => name), errors]).toEqual([['Vet'], []])
})
