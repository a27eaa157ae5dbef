import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { splitWords, startTerminal } from './test-terminal.ts'

const lines = ['docs/cli.md', 'docs/stripe.md'].flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = '']) => block.trim().split('\n'))
    .filter((line) => file === 'docs/cli.md' || line.startsWith('npx whereabouts')),
)

/** The command fails as intended: the server of this test serves no portal. */
const NOT_HERE = 'npx whereabouts doctor'

const readAsOwner = async ({ portal, json }: Awaited<ReturnType<typeof startTerminal>>) => {
  const [{ key }] = await json('personas', '--world', 'mine')
  const { token } = await json('login', key, '--world', 'mine')
  const headers = { 'x-world': 'mine', authorization: `Bearer ${token}` }
  for (const path of ['/users/me/', '/tracker_places/']) expect((await portal.call(null, 'GET', path, undefined, headers)).status).toBe(200)
}

test('every command in docs/cli.md, and of the terminal in docs/stripe.md, succeeds', async () => {
  await using at = await startTerminal()
  const folder = mkdtempSync(path.join(tmpdir(), 'terminal-'))
  for (const line of lines) {
    // Without a request the world's archive would not be a recording.
    if (line.includes('requests har')) await readAsOwner(at)
    const argv = splitWords(line.replace('--port 12111', '--port 0').replace('origin/main', 'docs/openapi.json')).slice(2)
    const { code, err } = await at.type(...argv.map((word) => (/^[\w-]+\.(db|har|html|json)$/.test(word) ? path.join(folder, word) : word)))
    expect({ line, code, err }).toEqual({ line, code: line === NOT_HERE ? 1 : 0, err: '' })
  }
  rmSync(folder, { recursive: true })
  expect(lines.length).toBeGreaterThan(25)
  expect(at.opened).toHaveLength(1)
})
