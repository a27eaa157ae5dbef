import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createInstallation, findFreePort } from '#server/test/test-process.ts'

const NUMBERS = { identifier: '77000001-01', serial: 'AAAA-0000-0001' }
const PASSWORD = 'Demo-1234-x'
type Installation = Awaited<ReturnType<typeof createInstallation>>

/** Starts a production server; `call` sends a request as an account, which registers with its first one. */
async function startServer(installed: Installation, env: Record<string, string> = {}) {
  const port = String(await findFreePort())
  const server = installed.start('server/main.ts', { PORT: port, LOG_LEVEL: 'info', ...env })
  await server.says('listening')
  const send = async (token: string | null, method: string, url: string, body?: object) => {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(`http://127.0.0.1:${port}${url}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : null }
  }
  const person = { password: PASSWORD, first_name: 'A', last_name: 'B', language: 'en', currency: 'eur', terms: true }
  const signIn = async (email: string) => {
    await send(null, 'POST', '/users/register/', { ...person, email })
    const { token } = (await send(null, 'POST', '/api/v1/auth/web_get_token/', { username: email, password: PASSWORD })).body
    return (method: string, url: string, body?: object) => send(token, method, url, body)
  }
  return {
    squatter: await signIn('squatter@example.org'),
    buyer: await signIn('buyer@example.org'),
    async stop() {
      server.signal('SIGTERM')
      await server.ended
    },
  }
}

const add = (call: Awaited<ReturnType<typeof startServer>>['buyer'], numbers: object) =>
  call('POST', '/devices/trackers/', { name: 'Mine', kind: 'dog', type: 'tracker_01', ...numbers })

test('in production no invented number is activated, and a squatted tracker returns to its buyer by its S/N', async () => {
  using installed = await createInstallation()
  const before = await startServer(installed, { CLAIMS: 'any' })
  const squatted = await add(before.squatter, { identifier: NUMBERS.identifier })
  expect(squatted).toMatchObject({ status: 201, body: { serial: null } })
  await before.stop()

  const { squatter, buyer } = await startServer(installed)
  expect(await add(squatter, { identifier: '12345678-90' })).toMatchObject({ status: 400, body: { code: 'not_in_stock' } })
  const activated = await squatter('POST', `/devices/${squatted.body.id}/activate/`)
  expect(activated).toMatchObject({ status: 409, body: { code: 'subscription_required' } })

  const check = (serial: string) => buyer('POST', '/devices/trackers/serial_check/', { identifier: NUMBERS.identifier, serial })
  expect((await add(buyer, { identifier: NUMBERS.identifier })).body.code).toBe('identifier_taken')
  expect((await check('AAAA-0000-0009')).body).toMatchObject({ code: 'serial_mismatch', remaining_attempts: 2 })
  expect((await check(NUMBERS.serial)).body).toMatchObject({ code: 'serial_mismatch', remaining_attempts: 1 })
  const file = path.join(installed.data, 'stock.csv')
  writeFileSync(file, `identifier,serial,type\n${NUMBERS.identifier},${NUMBERS.serial},tracker_06\n`)
  const imported = await installed.start('server/operator.ts', {}, ['stock', 'import', file]).ended
  expect(imported.out).toBe('1 added, 0 changed, 0 known, 0 refused; 1 trackers on accounts got their S/N.\n')

  const { serial_proof } = (await check(NUMBERS.serial)).body
  const request = { identifier: NUMBERS.identifier, email: 'buyer@example.org', reason: 'other', serial_proof }
  expect((await buyer('POST', '/devices/trackers/unlink_request/', request)).body.status).toBe('accepted')
  const added = await add(buyer, { serial: NUMBERS.serial })
  expect(added).toMatchObject({ status: 201, body: { type: 'tracker_06', tracker_status: { sub_state: 'not_activated' } } })
  expect((await buyer('POST', `/devices/${added.body.id}/activate/`)).status).toBe(204)
  await buyer('DELETE', `/devices/${added.body.id}/`)
  expect((await add(buyer, { serial: NUMBERS.serial })).body.tracker_status.sub_state).toBe('none')
})
