import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openStored } from '#server/test/test-database.ts'
import { createInstallation, findFreePort } from '#server/test/test-process.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type SentSpan = { name: string; traceId: string; spanId: string; parentSpanId?: string; attributes: Attribute[] }

/** A receiver of OTLP over HTTP, and the received spans. */
async function startReceiver() {
  const spans: SentSpan[] = []
  let text = ''
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    text += body
    const { resourceSpans } = JSON.parse(body)
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, spans, readText: () => text, [Symbol.dispose]: () => void server.close() }
}

const attributeOf = ({ attributes }: SentSpan, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? Number(value?.intValue)
}

test('a server with a configured collector exports a trace from each request to its statements, without values', async () => {
  using installed = await createInstallation()
  await using stored = await openStored()
  using receiver = await startReceiver()
  const port = await findFreePort()
  const env = { PORT: String(port), OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '100', ...stored.env }
  const server = installed.start('server/main.ts', env)
  await server.says('listening')
  const signIn = await fetch(`http://127.0.0.1:${port}/api/v1/auth/web_get_token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'nobody-at-all@example.com', password: 'secret-password' }),
  })
  expect(signIn.status).toBe(401)
  server.signal('SIGTERM')
  await server.ended
  const route = receiver.spans.find(({ name }) => name === 'POST /api/v1/auth/web_get_token/')
  expect(route && attributeOf(route, 'http.response.status_code')).toBe(401)
  const statements = receiver.spans.filter(({ parentSpanId }) => parentSpanId === route?.spanId)
  const texts = statements.map((one) => String(attributeOf(one, 'db.query.text')))
  expect(texts.some((text) => /^select .* from "?users"?/s.test(text))).toBe(true)
  expect(texts.some((text) => text.includes('throttles'))).toBe(true)
  expect(attributeOf(statements[0]!, 'db.system.name')).toBe(stored.db.isShared ? 'postgresql' : 'sqlite')
  expect(receiver.readText()).not.toMatch(/nobody-at-all|secret-password/)
})
