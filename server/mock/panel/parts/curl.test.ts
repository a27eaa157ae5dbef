import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { formatCurl } from './curl.ts'

const call = {
  method: 'POST',
  url: '/tracker_tags/',
  request: { headers: { 'content-type': 'application/json', authorization: '[redacted]', 'user-agent': 'x' }, body: '{"name":"Bo\'s"}' },
}

test('a command names the world by a header, the session, the content type and the body', () => {
  expect(formatCurl(call, { origin: 'http://w-mine.localhost:8080', world: 'mine', token: 'abc' }).split(' \\\n  ')).toEqual([
    "curl -i -X POST 'http://localhost:8080/tracker_tags/'",
    "-H 'x-world: mine'",
    "-H 'authorization: Bearer abc'",
    "-H 'content-type: application/json'",
    `--data-raw '{"name":"Bo'\\''s"}'`,
  ])
})

test('a command for the main world without a known session omits both', () => {
  const { method, url, request } = { ...call, method: 'GET' }
  expect(formatCurl({ method, url, request: { ...request, body: '' } }, { origin: 'http://localhost:8080', world: 'main' })).toBe(
    `curl -i 'http://localhost:8080/tracker_tags/' \\\n  -H "authorization: Bearer $TOKEN" \\\n  -H 'content-type: application/json'`,
  )
})

test('quotes and line breaks of a body reach the server unchanged', () => {
  const body = `it's "so"\n\`$HOME\``
  const command = formatCurl({ ...call, request: { headers: {}, body } }, { origin: 'http://localhost:8080', world: 'main' })
  expect(execFileSync('sh', ['-c', command.replace(/^curl/, 'printf "%s|"')], { encoding: 'utf8' })).toContain(`|${body}|`)
})
