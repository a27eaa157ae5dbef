import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { VERDICTS } from '#scripts/contracts/client/findings.ts'
import { readCodeBlocks, splitCommand } from '#server/test/test-guide.ts'
import { parseConfig } from '#web/lib/config.ts'
import { runCheck } from './check.ts'
import { runProxy } from './proxy.ts'
import { createTempFolder, createTestIo, startListeningPortal } from './test-io.ts'

const GUIDE = 'docs/real-backend.md'
const SOME = ['--only', 'p*']
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))

test('every command in docs/real-backend.md succeeds', async () => {
  await using portal = await startListeningPortal({ app: { corsOrigins: ['https://portal.tracker.example'] } })
  using files = createTempFolder()
  for (const name of ['reports', 'web']) mkdirSync(files.at(name))
  writeFileSync(files.at('web/index.html'), '<!doctype html><title>Portal</title>')
  const ours = (word: string) =>
    word
      .replace('https://api.tracker.example', portal.base)
      .replace('localhost:8080', new URL(portal.base).host)
      .replace('dist/web', files.at('web'))
      .replaceAll('reports/', `${files.at('reports')}/`)

  const env: Record<string, string> = {}
  const run = {
    async 'contracts:check'(flags: string[]) {
      const { io, printed } = createTestIo({ env })
      const code = await runCheck(
        [...(flags.includes('--only') ? [] : SOME), ...flags, '--max-rps', '100000', '--clean-up', files.at('clean-up.json')],
        io,
      )
      expect(code, printed.err + printed.out).toBe(0)
    },
    async 'contracts:proxy'(flags: string[]) {
      const stop = new AbortController()
      const { io, printed } = createTestIo({ env, stop: stop.signal })
      const code = runProxy([...flags, '--port', '0'], io)
      await vi.waitFor(() => expect(printed.out).toContain('Ctrl-C stops it'), { timeout: 20_000 })
      stop.abort()
      expect(await code).toBe(0)
    },
  }
  let played = 0
  for (const { kind, text } of readCodeBlocks(GUIDE)) {
    if (kind === 'json') expect(parseConfig(JSON.parse(text)).apiBaseUrl).toBe('https://api.tracker.example')
    else
      for (const line of text.trim().split('\n')) {
        const [program, ...words] = splitCommand(line)
        if (program === 'export') for (const word of words) env[word.split('=', 1)[0]!] = word.slice(word.indexOf('=') + 1)
        else {
          const [verb, name, dashes, ...flags] = words
          expect([program, verb, dashes], line).toEqual(['npm', 'run', '--'])
          await run[name as keyof typeof run](flags.map(ours))
        }
        played++
      }
  }
  expect(played).toBe(12)
  for (const name of ['config.json', 'baseline.json', 'contracts.xml', 'calls.har', 'contracts.html', 'contracts.har'])
    expect(existsSync(files.at(`reports/${name}`)), name).toBe(true)
})

test('docs/real-backend.md explains every verdict, and its commands exist in package.json', () => {
  expect(Object.keys(scripts).filter((name) => name.startsWith('contracts:'))).toEqual(['contracts:check', 'contracts:proxy'])
  const guide = readFileSync(GUIDE, 'utf8')
  for (const verdict of VERDICTS) expect(guide).toContain(`| \`${verdict}\` |`)
  const table = guide.slice(guide.indexOf('## What a backend may do differently'))
  expect(table).toContain('| Habit | Example | What the portal does |')
  expect(table.match(/^\|/gm)?.length).toBeGreaterThan(15)
})
