import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { CLOCK_EVENTS, FORMER_EVENTS } from '#contracts/mock/clock.ts'
import { PRESETS } from '#contracts/mock/faults.ts'
import { control } from '#contracts/mock/index.ts'
import { CARDS } from '#contracts/mock/payments.ts'
import { buildApp } from '#server/app.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { createControlPlane } from '#server/mock/control/control.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { listBlocks } from '#server/test/test-guide.ts'

const PYTHON = 'examples/python'
const JAVA = 'examples/java'
const client = readFileSync(`${PYTHON}/whereabouts.py`, 'utf8')
const pythonTests = readFileSync(`${PYTHON}/test_whereabouts.py`, 'utf8')
const testCount = pythonTests.match(/^def test_/gm)?.length ?? 0

const succeeds = (command: string, args: string[]) => spawnSync(command, args, { timeout: 30_000 }).status === 0
const hasPython = succeeds('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'])
const hasPytest = hasPython && succeeds('python3', ['-c', 'import pytest'])
const hasJava = Number(/^\S+ (\d+)/.exec(spawnSync('java', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1] ?? 0) >= 17

for (const [isThere, name] of [
  [hasPython, 'Python: python3 3.9 or newer'],
  [hasPytest, 'pytest'],
  [hasJava, 'Java 17 or newer'],
] as const)
  if (!isThere) process.stderr.write(`examples.test.ts skips tests, because this machine lacks ${name}\n`)

/** Starts a server whose control plane needs a token. */
async function startGuardedApp({ worlds, snapshots }: Awaited<ReturnType<typeof startPortal>>, token: string) {
  const extend = createControlPlane({ worlds, snapshots, city: await openTestCity(), token })
  return buildApp({ worlds, rateLimits: false, extend })
}

/** Runs a program of an example against a server of its own; returns its exit code and all output. */
async function play(cwd: string, command: string, args: string[], token?: string) {
  await using portal = await startPortal()
  const app = token === undefined ? portal.app : await startGuardedApp(portal, token)
  const server = await app.listen({ port: 0, host: '127.0.0.1' })
  const env = {
    ...process.env,
    WHEREABOUTS_URL: server,
    CONTROL_TOKEN: token,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
  }
  const ended = await promisify(execFile)(command, args, { cwd, env, timeout: 100_000 }).then(
    (done) => ({ ...done, code: 0 }),
    (failed) => failed,
  )
  if (token !== undefined) await app.close()
  return { code: ended.code, output: `${ended.stdout}${ended.stderr}` }
}

test.skipIf(!hasPytest)('the Python example passes with pytest (needs python3 3.9 and pytest)', async () => {
  const { code, output } = await play(PYTHON, 'python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'])
  expect(output).toContain(`${testCount} passed`)
  expect(code).toBe(0)
})

test.skipIf(!hasPython)('the Python example passes without any package (needs python3 3.9)', async () => {
  const { code, output } = await play(PYTHON, 'python3', ['-S', '-m', 'unittest'])
  expect(output).toMatch(new RegExp(`Ran ${testCount} tests[^]*\nOK`))
  expect(code).toBe(0)
})

test.skipIf(!hasJava).each([
  ['without a control token', undefined],
  ['with a control token', 'a-control-token-of-32-characters'],
])('the Java example passes against a server %s (needs Java 17)', async (_, token) => {
  const { code, output } = await play(JAVA, 'java', ['Whereabouts.java'], token)
  const checks = [...readFileSync(`${JAVA}/Whereabouts.java`, 'utf8').matchAll(/check\("(.*?)"/g)].map(([, what]) => `ok: ${what}`)
  expect(checks.length).toBeGreaterThan(5)
  expect(output.trim().split('\n')).toEqual(checks)
  expect(code).toBe(0)
})

test('every address that the Python client names is in the contract of the control plane', () => {
  const known = Object.values(control).flatMap((noun) => Object.values(noun).map(({ method, path }) => `${method} ${path}`))
  const named = [...client.matchAll(/control\("([A-Z]+)", f?"([^"]+)"/g)].map(([, method, path = '']) => `${method} ${path}`)
  const isKnown = (address: string) => {
    const pattern = new RegExp(`^${address.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`)
    return known.some((each) => pattern.test(each))
  }
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((address) => !isKnown(address))).toEqual([])
})

test.each([
  ['ClockEvent', [...CLOCK_EVENTS, ...Object.keys(FORMER_EVENTS)]],
  ['Preset', PRESETS],
  ['Card', CARDS],
])('the type %s of the Python client has the values of the contract', (name, values) => {
  const [, listed = ''] = new RegExp(`^${name} = Literal\\[([^\\]]*)\\]`, 'm').exec(client) ?? []
  expect([...listed.matchAll(/"([^"]+)"/g)].map(([, value]) => value)).toEqual(values)
})

test.each(['docs/testing.md', `${PYTHON}/README.md`])('%s shows Python as it stands in the example', (file) => {
  const shown = listBlocks(file).filter(({ language }) => language === 'python')
  expect(shown.length).toBeGreaterThan(0)
  expect(shown.filter(({ text }) => !pythonTests.includes(text) && !client.includes(text))).toEqual([])
})
