import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bundle, EXTERNAL } from '#scripts/build/package.ts'
import { runTool } from '#scripts/check/tools.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { listBlocks } from '#server/test/test-guide.ts'

const EXAMPLE = 'examples/vitest'

/** A run of Vitest inside of this one must not inherit its settings. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TINYPOOL|NODE_ENV$|MODE$|TEST$)/.test(name)))

/** Copies the example beside a package that has the fixture for Vitest and nothing else of this repository. */
async function installExample() {
  mkdirSync('.cache', { recursive: true })
  const folder = path.resolve(mkdtempSync('.cache/vitest-example-'))
  cpSync(EXAMPLE, folder, { recursive: true })
  const installed = path.join(folder, 'node_modules/whereabouts')
  await bundle({ input: { vitest: 'scripts/package/vitest.ts' }, folder: installed, format: 'esm', external: EXTERNAL })
  const manifest = { name: 'whereabouts', type: 'module', exports: { './vitest': './vitest.js' } }
  writeFileSync(path.join(installed, 'package.json'), JSON.stringify(manifest))
  return {
    folder,
    /** Runs the suite against a server of its own; returns its exit code and all output. */
    async run() {
      await using portal = await startPortal()
      const server = await portal.app.listen({ port: 0, host: '127.0.0.1' })
      const ended = await promisify(execFile)(process.execPath, [path.resolve('node_modules/vitest/vitest.mjs'), 'run'], {
        cwd: folder,
        env: { ...env, WHEREABOUTS_URL: server, NO_COLOR: '1' },
        timeout: 200_000,
      }).then(
        (done) => ({ ...done, code: 0 }),
        (failed) => failed,
      )
      return { code: ended.code, output: `${ended.stdout}${ended.stderr}` }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

test('the Vitest example passes', async () => {
  using example = await installExample()
  const { code, output } = await example.run()
  expect(output).toMatch(/Tests +8 passed/)
  expect(code).toBe(0)
})

const FAILING = `import { expect } from 'vitest'
import { test } from './worlds.ts'

test('a wrong expectation', async ({ world }) => {
  await world.faults.create({ body: { match: { route: 'tags.list' }, effect: 'status', status: 500 } })
  expect(await world.api('alice').places.list()).toBe('none')
})

test('a broken contract', async ({ world }) => {
  const headers = { authorization: 'Bearer ' + world.persona('alice').token, 'content-type': 'application/json' }
  await world.fetch('/tracker_tags/', { method: 'POST', headers, body: '{"color":"blue"}' })
})
`

test('a failed Vitest test leaves its world, an unused fault is named, and a broken contract fails the test', async () => {
  using example = await installExample()
  writeFileSync(path.join(example.folder, 'src/worlds.test.ts'), FAILING)
  const { code, output } = await example.run()
  expect(code).toBe(1)
  expect(output).toMatch(/Tests +2 failed/)
  expect(output).toMatch(/a wrong expectation: a fault had no effect\. GET \/tracker_tags\/ answers 500/)
  expect(output).toContain('The contract of the API is broken:')
  const results = path.join(example.folder, 'test-results')
  const [broken = '', wrong = ''] = readdirSync(results).sort()
  expect([broken, wrong]).toEqual([expect.stringMatching(/^a-broken-contract-/), expect.stringMatching(/^a-wrong-expectation-/)])
  const evidence = readdirSync(path.join(results, wrong)).sort()
  expect(evidence).toEqual(['evidence.html', 'journal.har', 'mails.json', 'reopen.sh', 'world.db'])
})

test('the types of the Vitest example are those of the fixture', async () => {
  const folder = path.resolve(mkdtempSync('.cache/vitest-types-'))
  const config = {
    extends: path.resolve('tsconfig.json'),
    compilerOptions: {
      noEmit: true,
      incremental: false,
      types: ['node'],
      paths: { 'whereabouts/vitest': [path.resolve('scripts/package/vitest.ts')] },
    },
    include: [path.resolve(EXAMPLE)],
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { output } = await runTool('tsc', ['-p', folder])
  rmSync(folder, { recursive: true })
  expect(output).toBe('')
})

test('docs/testing/vitest.md shows the example as it stands', () => {
  const files = ['vitest.config.ts', 'src/worlds.ts', 'src/worlds.test.ts'].map((file) => readFileSync(`${EXAMPLE}/${file}`, 'utf8'))
  const shown = listBlocks('docs/testing/vitest.md').filter(({ language }) => language === 'ts')
  expect(shown).toHaveLength(8)
  expect(shown.filter(({ text }) => !files.some((file) => file.includes(text)))).toEqual([])
})
