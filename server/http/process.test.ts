import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { ensureDataDir, findFreePort, listen } from './process.ts'

test('listening on a port in use fails with one sentence and a remedy', async () => {
  const [first, second] = [Fastify(), Fastify()]
  const port = Number(new URL(await listen(first, { host: '127.0.0.1', port: 0 })).port)
  await expect(listen(second, { host: '127.0.0.1', port })).rejects.toThrow(
    `Port ${port} is in use. Stop the other program, or choose another port: PORT=${port + 1} npm start`,
  )
  await first.close()
  await second.close()
})

test('a data folder that cannot be created fails with one sentence', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-'))
  const file = path.join(folder, 'a-file')
  writeFileSync(file, '')
  chmodSync(file, 0o600)
  expect(() => ensureDataDir(path.join(file, 'data'))).toThrow(/^The data folder .* cannot be written\. Give this user the right/)
  expect(() => ensureDataDir(file)).toThrow(/^The data folder /)
  expect(() => ensureDataDir('/proc/nope')).toThrow(/^The data folder \/proc\/nope cannot be written\./)
  expect(() => ensureDataDir(path.join(folder, 'new', 'data'))).not.toThrow()
  rmSync(folder, { recursive: true })
})

test('freePort returns a port that is free', async () => {
  const app = Fastify()
  const port = await findFreePort('127.0.0.1')
  expect(await listen(app, { host: '127.0.0.1', port })).toBe(`http://127.0.0.1:${port}`)
  await app.close()
})
