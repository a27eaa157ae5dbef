import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'
import { createInstallation, type Entry, findFreePort } from '#server/test/test-process.ts'

/** Loaded before the program: records how durable each commit of its SQLite driver is (2 is FULL, 1 is NORMAL). */
const RECORD_COMMITS = `
const { appendFileSync } = require('node:fs')
const Module = require('node:module')
const load = Module._load
Module._load = function (request, ...rest) {
  const loaded = load.call(this, request, ...rest)
  if (!/^better-sqlite3(-napi)?$/.test(request) || loaded.isWatched) return loaded
  loaded.isWatched = true
  const { exec } = loaded.prototype
  loaded.prototype.exec = function (sql) {
    if (sql === 'COMMIT') appendFileSync(process.env.COMMITS_FILE, String(this.pragma('synchronous', { simple: true })))
    return exec.call(this, sql)
  }
  return loaded
}
`

test.each([
  ['production waits for the disk', 'server/main.ts', {}, '2'],
  ['production does not wait for the disk when told so', 'server/main.ts', { SYNCHRONOUS: 'NORMAL' }, '1'],
  ['the mock server does not wait for the disk', 'server/mock/main.ts', {}, '1'],
] as const)('before a change is acknowledged, %s', async (_, entry: Entry, env, expected) => {
  using installed = await createInstallation()
  installed.seed()
  const script = path.join(installed.data, 'record-commits.cjs')
  const commits = path.join(installed.data, 'commits.txt')
  writeFileSync(script, RECORD_COMMITS)
  writeFileSync(commits, '')
  const port = String(await findFreePort())
  const server = installed.start(entry, {
    PORT: port,
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `--require=${script}`,
    COMMITS_FILE: commits,
    ...env,
  })
  await server.says(entry === 'server/main.ts' ? 'listening' : 'Whereabouts is running')
  const { email, password } = PERSONAS[0]!
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/auth/web_get_token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: email, password }),
  })
  expect(answer.status).toBe(200) // waits until the session was stored
  expect(new Set(readFileSync(commits, 'utf8'))).toEqual(new Set([expected]))
})
