import { parseArgs } from 'node:util'
import { expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { readCodeBlocks, splitCommand } from '#server/test/test-guide.ts'

type Command = { method: string; path: string; headers: Record<string, string>; body: string | undefined; output: string | undefined }

function commandOf(line: string): Command {
  const [curl, ...args] = splitCommand(line)
  expect(curl, line).toBe('curl')
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      silent: { type: 'boolean', short: 's' },
      header: { ...text, short: 'H', multiple: true },
      method: { ...text, short: 'X' },
      body: { ...text, short: 'd' },
      output: { ...text, short: 'o' },
    },
  })
  const headers = (values.header ?? []).map((header) => header.split(': ', 2))
  return {
    method: values.method ?? (values.body === undefined ? 'GET' : 'POST'),
    path: positionals[0]!.replace('localhost:8080', ''),
    headers: Object.fromEntries(headers),
    body: values.body,
    output: values.output,
  }
}

/** A JSON block shows the response of the command before it. */
test('every command in the guide for testers works as described', async () => {
  await using portal = await startPortal()
  let played = 0
  let last: unknown
  const files = new Map<string, string>()
  for (const { kind, text } of readCodeBlocks('docs/testing.md')) {
    if (kind === 'json') expect(last).toMatchObject(JSON.parse(text))
    else
      for (const line of text.trim().split('\n')) {
        const { method, path, headers, body, output } = commandOf(line)
        const sent = body?.startsWith('@') ? files.get(body.slice(1)) : body
        const answer = await portal.call(null, method, path, sent, headers)
        if (output) files.set(output, answer.raw.toString())
        expect([200, 201, 204, 302], `${line}\n${JSON.stringify(answer.body).slice(0, 500)}`).toContain(answer.status)
        last = answer.body
        played++
      }
  }
  expect(played).toBeGreaterThan(20)
})
