import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createInstallation, findFreePort } from '#server/test/test-process.ts'

test('the operator sets the prices of a new server, reads them back, makes codes for a plan, and sees how to use the program', async () => {
  using installed = await createInstallation()
  const run = (...args: string[]) => installed.start('server/operator.ts', {}, args).ended
  const plan = { id: 'eur-6m', type: 'plan', name: '6 months', currency: 'eur', unitAmount: 899, taxBehavior: 'inclusive' }
  const list = [{ ...plan, interval: 'month', intervalCount: 6, months: 6, extra: 0 }]
  const file = path.join(installed.data, 'prices.json')
  writeFileSync(file, JSON.stringify(list))
  expect(await run('prices', file)).toMatchObject({ code: 0, err: '', out: expect.stringContaining('1 prices are on sale.') })
  expect(JSON.parse((await run('prices')).out)).toEqual(list)
  expect(await run('prices', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('"unitAmount": 899,') })
  writeFileSync(file, JSON.stringify([{ ...list[0], currency: 'isk' }]))
  expect(await run('prices', file)).toMatchObject({ code: 1, err: expect.stringContaining('entry 1 ("eur-6m"): currency: ') })
  expect((await run('codes', 'make', 'Boxes', '--count=2', '--plan=eur-6m')).out).toMatch(/^([A-Z2-9]{8}\n){2}$/)
  expect(JSON.parse((await run('codes')).out)).toMatchObject({
    name: 'Boxes',
    plan: 'eur-6m',
    months: 6,
    count: 2,
    created_by: 'operator.js',
  })
  const mailed = await run('codes', 'mail', 'kim@example.com', '--months=12')
  const [, code = ''] = /^kim@example\.com gets the code ([A-Z2-9]{8}) by mail\.\n$/.exec(mailed.out) ?? []
  expect(JSON.parse((await run('codes', 'list', '--mailed')).out)).toMatchObject({ code, months: 12, mailed_to: 'kim@example.com' })
  expect(await run('codes', 'void', code, 'ABCDEFGH')).toMatchObject({ code: 0, out: 'ABCDEFGH is used or unknown.\n1 code is void.\n' })
  expect(await run('codes', 'make', 'More', '--plan=no-plan')).toMatchObject({ code: 1, err: expect.stringContaining('plan: No plan of') })
  expect(await run('invoices')).toMatchObject({ code: 0, out: '' })
  expect(await run('mails')).toMatchObject({ code: 0, out: '' })
  expect(await run('mails', '--again')).toMatchObject({ code: 0, out: '0 mails are sent again by the running server.\n' })
  expect(await run('sell')).toMatchObject({ code: 1, err: expect.stringContaining('Usage: node dist/server/operator.js COMMAND') })
})

test('the operator imports stock, lists it, blocks a tracker and reads what happened to it', async () => {
  using installed = await createInstallation()
  const run = (...args: string[]) => installed.start('server/operator.ts', {}, ['stock', ...args]).ended
  const file = path.join(installed.data, 'stock.csv')
  const header = 'identifier,serial,type,months,batch\n'
  writeFileSync(
    file,
    `${header}77000001-01,aaaa-0000-0001,triby,24,"May, 2"\n77000002-01,AAAA00000002,tracker_01,,\n77,AAAA00000003,triby,,\n`,
  )
  const refused = 'line 4: identifier: "77" is not 8+2 digits\n'
  expect(await run('import', file)).toMatchObject({ code: 1, out: expect.stringContaining(`${refused}Nothing was imported`) })
  expect(await run('import', file, '--skip-invalid')).toMatchObject({
    code: 0,
    out: `${refused}2 added, 0 changed, 0 known, 1 refused; 0 trackers on accounts got their S/N.\n`,
  })
  expect(await run('block', '77000002-01', '--reason=Lost parcel')).toMatchObject({ code: 0, out: '1 tracker is blocked.\n' })
  expect(await run('block', '77000009-01')).toMatchObject({ code: 1, out: expect.stringContaining('77000009-01 is not in stock.') })
  const listed = 'identifier,serial,type,board,months,batch,state\n'
  const [free, blocked] = [
    '7700000101,AAAA00000001,triby,TRB1-A,24,"May, 2",in_stock\n',
    '7700000201,AAAA00000002,tracker_01,TRK1-A,12,,blocked\n',
  ]
  expect((await run('list')).out).toBe(listed + free + blocked)
  expect((await run('list', '--state=blocked')).out).toBe(listed + blocked)
  expect((await run('list', '--search=aaaa-0000-0001')).out).toBe(listed + free)
  expect((await run('list', '--batch=May, 2')).out).toBe(listed + free)
  expect((await run('show', '77000002-01')).out).toMatch(/added to the stock\n.+ {2}blocked by operator.js because: Lost parcel\n$/)
  expect(await run('unblock', '77000002-01')).toMatchObject({ code: 0, out: '1 tracker is free to be added.\n' })
  for (const wrong of [['list', '--state=sold'], ['import'], ['sell']])
    expect(await run(...wrong)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Usage: node dist/server/operator.js stock COMMAND'),
    })
  expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining('8+2 digits') })
})

test('the operator ends the sessions of one user or of all while the server runs, and each user sees it in the security log', async () => {
  using installed = await createInstallation()
  installed.seed()
  const run = (...args: string[]) => installed.start('server/operator.ts', {}, args).ended
  const port = String(await findFreePort())
  const server = installed.start('server/main.ts', { PORT: port, LOG_LEVEL: 'info', REQUIRE_SECOND_FACTOR: 'off' })
  await server.says('listening')
  const call = async (path: string, token: string | null, body?: object) => {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(
      `http://127.0.0.1:${port}${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    return { status: response.status, body: await response.json() }
  }
  const signIn = async (username: string): Promise<string> =>
    (await call('/api/v1/auth/web_get_token/', null, { username, password: 'Demo-1234' })).body.token
  const statusOf = async (token: string) => (await call('/users/me/', token)).status
  const [alice, other, bruno] = [await signIn('alice@example.com'), await signIn('alice@example.com'), await signIn('bruno@example.com')]
  const { hand_off } = (await call('/api/v1/auth/hand_off/', alice, {})).body

  expect(await run('sessions', 'end', 'nobody@example.com')).toMatchObject({
    code: 1,
    err: expect.stringContaining('No user has the e-mail'),
  })
  // One of them expired in the months before the server ran, and is not removed yet.
  expect(await run('sessions', 'end', 'ALICE@example.com')).toMatchObject({ code: 0, out: 'Ended 3 sessions of 1 user.\n' })
  expect([await statusOf(alice), await statusOf(other), await statusOf(bruno)]).toEqual([401, 401, 200])
  expect((await call('/api/v1/auth/hand_off/redeem/', null, { hand_off })).status).toBe(410)
  const again = await signIn('alice@example.com')
  const lines = (await call('/users/security_log/', again)).body.entries
  expect(lines[1]).toMatchObject({ kind: 'sessions_ended', who: null, where: null })

  const { out } = await run('sessions', 'end', '--all', '--api-tokens')
  expect(out).toMatch(/^Ended 2 sessions and [1-9]\d* API tokens? of \d+ users\.$/m)
  expect([await statusOf(again), await statusOf(bruno), await statusOf('wat_5eed000000000000000000000000000000000301')]).toEqual([
    401, 401, 401,
  ])
  for (const args of [['sessions'], ['sessions', 'end'], ['sessions', 'end', 'alice'], ['sessions', 'end', '--all', 'alice@example.com']])
    expect(await run(...args)).toMatchObject({ code: 1, err: expect.stringContaining('Usage: node dist/server/operator.js COMMAND') })
})

test('the operator invites the first administrator of a new server, who is listed, changed and removed; a key is printed once', async () => {
  using installed = await createInstallation()
  const run = (...args: string[]) => installed.start('server/operator.ts', { PORTAL_ORIGIN: 'https://portal.example' }, args).ended
  expect(await run('staff', 'add', 'Nora@shop.example', '--role', 'admin')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/nora@shop\.example gets a mail .*https:\/\/portal\.example\/operator\/invitation\?key=[0-9a-f]{40}/),
  })
  expect(JSON.parse((await run('staff')).out)).toMatchObject({ email: 'nora@shop.example', role: 'admin', state: 'invited' })
  expect(await run('staff', 'list')).toMatchObject({ code: 0, out: (await run('staff')).out })
  expect(await run('requests', 'list', 'pending')).toMatchObject({ code: 0, out: '' })
  expect(await run('staff', 'role', 'nora@shop.example', '--role', 'chief')).toMatchObject({
    code: 1,
    err: expect.stringContaining('--role is one of stock, support, finance, admin.'),
  })
  expect(await run('staff', 'role', 'nora@shop.example', '--role', 'finance')).toMatchObject({ code: 0 })
  expect((await run('keys', 'add', 'Shop', '--role', 'stock')).out).toMatch(/^[0-9a-f]{40}\n$/)
  const { id } = JSON.parse((await run('keys')).out)
  expect(await run('keys', 'end', String(id))).toMatchObject({ code: 0, out: 'The key Shop has ended.\n' })
  expect((await run('gateways', 'make', 'LoRa')).out).toMatch(/^[0-9a-f]{40}\n$/)
  expect(JSON.parse((await run('gateways')).out)).toMatchObject({ label: 'LoRa', last_used_at: null })
  expect(await run('gateways', 'end', '77')).toMatchObject({ code: 1, err: expect.stringContaining('no gateway with the id 77') })
  expect(await run('requests')).toMatchObject({ code: 0, out: '' })
  expect(await run('requests', 'accept')).toMatchObject({ code: 1, err: expect.stringContaining('Usage: node dist/server/operator.js') })
  expect(await run('staff', 'remove', 'nora@shop.example')).toMatchObject({ code: 0 })
  expect((await run('staff')).out).toBe('')
})
