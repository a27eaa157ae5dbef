import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { choosePorts } from '#e2e/ports.ts'

beforeEach(() => vi.stubEnv('E2E_PORT', undefined))
afterEach(() => vi.unstubAllEnvs())

test('browser test runs that begin together have different ports', async () => {
  const chosen = await Promise.all([choosePorts(), choosePorts(), choosePorts()])
  const ports = chosen.flatMap(({ server, staticHost }) => [server, staticHost])
  expect(new Set(ports).size).toBe(ports.length)
})

test('the workers of a run have the ports that its main process chose', async () => {
  const chosen = await choosePorts()
  expect(await choosePorts()).toEqual(chosen)
  expect(process.env.E2E_PORT).toBe(String(chosen.server))
})
