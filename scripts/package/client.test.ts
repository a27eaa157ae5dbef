import { expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { connectApi, connectControl, type Server } from './client.ts'

test('a client takes the address of the server alone, or with a world', async () => {
  await using portal = await startPortal()
  const base = await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { id, personas } = await connectControl(base).worlds.create({ body: { scenario: 'empty', seed: 1 } })
  const [{ token } = { token: '' }] = personas
  expect(await connectControl({ base, world: id }).clock.read()).toMatchObject({ mode: 'frozen' })
  expect(await connectApi({ base, world: id, token }).tags.list()).toEqual([])
})

test.each([[undefined], [{}], [{ base: undefined }]])(
  'a client created with %j says that the address of the server is missing',
  (server) => {
    const message = "The address of the server is missing, such as { base: 'http://localhost:8080' }"
    expect(() => connectControl(server as Server)).toThrow(message)
    expect(() => connectApi(server as Server)).toThrow(message)
  },
)
