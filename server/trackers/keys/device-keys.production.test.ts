import { expect, test } from 'vitest'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { createInstallation, findFreePort } from '#server/test/test-process.ts'

test("a production server does not accept the demo's device key", async () => {
  using installed = await createInstallation()
  const port = await findFreePort()
  const server = installed.start('server/main.ts', { PORT: String(port), LOG_LEVEL: 'info' })
  await server.says('listening')
  for (const path of ['/devices/ingest/', '/ingest/osmand', '/ingest/owntracks']) {
    const headers = { 'x-device-key': DEVICE_KEY, 'content-type': 'application/json' }
    const body = JSON.stringify({ identifier: '1000000001', positions: [] })
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
    expect([response.status, (await response.json()).code]).toEqual([401, 'invalid_device_key'])
  }
})
