import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { refuseUnsafe } from '#server/mock/control/refuse-unsafe.ts'
import { readCodeBlocks, splitCommand } from '#server/test/test-guide.ts'
import * as limits from './limits.ts'
import { startDemo } from './test-demo.ts'

const GUIDE = 'docs/demo.md'
const text = { type: 'string' } as const
const options = {
  silent: { type: 'boolean', short: 's' },
  output: { ...text, short: 'o' },
  dump: { ...text, short: 'D' },
  jar: { ...text, short: 'c' },
  cookie: { ...text, short: 'b' },
  header: { ...text, short: 'H', multiple: true },
  body: { ...text, short: 'd' },
} as const

function npmOf(line: string) {
  const words = splitCommand(line)
  const at = words.indexOf('npm')
  return { env: Object.fromEntries(words.slice(0, at).map((word) => word.split('=', 2))), script: words[at + 2]! }
}

test('every command in the guide to the demo works as described', async () => {
  await using demo = await startDemo()
  const scripts: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).scripts
  let cookie = ''
  let last: unknown
  const played = { curl: 0, npm: 0, docker: 0 }
  for (const { kind, text } of readCodeBlocks(GUIDE))
    for (const line of kind === 'json' ? [] : text.trim().split('\n')) {
      if (line.startsWith('docker')) {
        const file = splitCommand(line)[3]!
        expect(readFileSync(file, 'utf8')).toMatch(/^ {2}demo:\n {4}build: \.\n(.*\n)* {6}MODE: demo$/m)
        played.docker++
      } else if (line.includes('npm')) {
        const { env, script } = npmOf(line)
        expect(Object.keys(scripts)).toContain(script)
        expect(() => refuseUnsafe(readConfig({ MODE: 'demo', ...env }))).not.toThrow()
        played.npm++
      } else {
        const { values, positionals } = parseArgs({ args: splitCommand(line).slice(1), allowPositionals: true, options })
        const sent = (values.header ?? []).map((header) => header.split(': ', 2) as [string, string])
        const answer = await demo.ask(positionals[0]!.replace('localhost:8080', ''), {
          method: values.body === undefined ? 'GET' : 'POST',
          headers: { ...(values.cookie && { cookie }), ...Object.fromEntries(sent) },
          body: values.body,
        })
        if (values.jar) cookie = `__world=${answer.cookies[0]!.value}`
        else expect(answer.status, line).toBe(values.cookie ? 200 : 404)
        if (values.dump) expect(answer.headers.location).toMatch(/^\/trackers\?hand_off=/)
        last = answer.body
        played.curl++
        const example = readCodeBlocks(GUIDE).find(
          (block, index, all) => block.kind === 'json' && all[index - 1]?.text.trim().endsWith(line),
        )
        if (example) expect(last).toMatchObject(shapeOf(JSON.parse(example.text)))
      }
    }
  expect(played).toEqual({ curl: 6, npm: 3, docker: 1 })
})

/** The guide shows only the first element of a list. */
const shapeOf = (example: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(example).map(([key, value]) => [key, Array.isArray(value) ? expect.arrayContaining(value) : value]))

test('the limits in the guide to the demo match the code', () => {
  const guide = readFileSync(GUIDE, 'utf8').replaceAll(/\s+/g, ' ')
  const hours = (ms: number) => ms / 3_600_000
  for (const words of [
    `${hours(limits.IDLE_MS)} hours after the last request, at most ${hours(limits.MAX_LIFETIME_MS)} hours`,
    `Worlds at once | ${limits.MAX_WORLDS} |`,
    `${limits.MAX_WORLDS_PER_ADDRESS} at once, ${limits.NEW_WORLDS_RATE.max} an hour`,
    `is in use | for ${limits.IN_USE_MS / 60_000} minutes after the last request`,
    `its ${limits.MAX_WORLDS_PER_ADDRESS} worlds, and 503 if all ${limits.MAX_WORLDS} are in use`,
    `(unused for ${hours(limits.IDLE_MS)} hours, ${hours(limits.MAX_LIFETIME_MS)} hours old, removed while unused)`,
    `Size of a world | ${limits.MAX_WORLD_BYTES / 1024 ** 2} MB`,
    `Size of a request | ${limits.MAX_UPLOAD_BYTES / 1024} kB`,
    `Requests of a visitor | ${limits.REQUEST_RATE.max} a minute`,
    `at most ${limits.CLOCK_LIMITS.leapDays} days each, ${limits.LEAP_RATE.max} a minute per address; the clock runs at most ${limits.CLOCK_LIMITS.rate} times`,
    `${limits.MAX_SHARES}, ${limits.MAX_SHARES_PER_ADDRESS} per address; each is stored for ${hours(limits.SHARE_LIFETIME_MS) / 24} days`,
  ])
    expect(guide).toContain(words)
})
