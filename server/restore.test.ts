import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openSqlite } from '#db/sqlite/open.ts'
import { ENDED, findNothingBack, liveAfterBackup, liveUntilBackup } from '#server/recovery/test-lost-day.ts'
import { createInstallation, findFreePort } from '#server/test/test-process.ts'
import { startSmtp } from '#server/test/test-smtp.ts'

type Installed = Awaited<ReturnType<typeof createInstallation>>

async function serve(installed: Installed, env = {}) {
  const port = String(await findFreePort())
  const server = installed.start('server/main.ts', { PORT: port, LOG_LEVEL: 'error', REQUIRE_SECOND_FACTOR: 'off', ...env })
  await server.says('listening')
  return { ...server, url: `http://127.0.0.1:${port}` }
}

const listOf = ({ data }: Installed) => path.join(data, 'endings.jsonl')
const kindsIn = (file: string) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : JSON.parse(line).kind))
    : []

/** A day after the backup, with all of its changes. */
async function liveOn(installed: Installed) {
  installed.seed()
  const backup = path.join(installed.data, 'backup.db')
  const server = await serve(installed)
  const before = await liveUntilBackup(server.url)
  expect(await installed.start('server/backup.ts', {}, [backup]).ended).toMatchObject({ code: 0 })
  await liveAfterBackup(server.url, before)
  await expect.poll(() => kindsIn(listOf(installed))).toEqual(expect.arrayContaining(ENDED))
  server.signal('SIGTERM')
  await server.ended
  return { before, backup }
}

async function expectNothingBack(installed: Installed, before: Awaited<ReturnType<typeof liveOn>>['before']) {
  await using smtp = await startSmtp()
  const server = await serve(installed, { SMTP_URL: smtp.url })
  await findNothingBack(server.url, before, smtp.taken)
  server.signal('SIGTERM')
  await server.ended
  const { raw, close } = openSqlite(installed.file)
  expect(raw.prepare("select count(*) from users where email = 'zoe@example.com'").pluck().get()).toBe(0)
  expect(raw.prepare('select count(*) from devices where account_id = 11').pluck().get()).toBe(0)
  close()
}

test('a restored backup restores no session, password, link, key or account that ended after it, and sends no mail again', async () => {
  using installed = await createInstallation()
  const { before, backup } = await liveOn(installed)
  const { code, out, err } = await installed.start('server/restore.ts', {}, [backup]).ended
  expect([code, err]).toEqual([0, ''])
  for (const line of ['1 erased users', '1 removed public links', '1 revoked keys of phones', '1 changed passwords'])
    expect(out).toContain(line)
  expect(out).toMatch(/Ended: \d+ sessions of \d+ users\./)
  expect(out).toMatch(/Held: \d+ mails/)
  await expectNothingBack(installed, before)
  const mails = await installed.start('server/operator.ts', {}, ['mails']).ended
  expect(mails.out).toContain('"template":"password_reset"')
  expect(mails.out).toContain('"reason":"RESTORED"')
  expect(await installed.start('server/operator.ts', {}, ['mails', '--discard']).ended).toMatchObject({ code: 0 })
  expect((await installed.start('server/operator.ts', {}, ['mails']).ended).out).toBe('')
})

test('a restored backup knows which trackers of the stock are claimed, and goes on keeping that true', async () => {
  using installed = await createInstallation()
  const { backup } = await liveOn(installed)
  expect(await installed.start('server/restore.ts', {}, [backup]).ended).toMatchObject({ code: 0 })
  const { raw, close } = openSqlite(installed.file)
  const count = (where: string) => raw.prepare(`select count(*) from stock_items where ${where}`).pluck().get()
  expect(count('is_claimed <> exists (select 1 from devices where devices.identifier = stock_items.identifier)')).toBe(0)
  expect(count('is_claimed')).toBeGreaterThan(0)
  raw.prepare('delete from devices').run()
  expect(count('is_claimed')).toBe(0)
  close()
})

test('"operator.js after-restore" does the same if the operator has copied the file, and can be repeated', async () => {
  using installed = await createInstallation()
  const { before, backup } = await liveOn(installed)
  for (const suffix of ['-wal', '-shm']) rmSync(installed.file + suffix, { force: true })
  copyFileSync(backup, installed.file)
  const run = () => installed.start('server/operator.ts', {}, ['after-restore']).ended
  expect(await run()).toMatchObject({ code: 0, err: '', out: expect.stringContaining('1 erased users') })
  const second = await run()
  expect(second).toMatchObject({ code: 0, out: expect.stringContaining('Ended: 0 sessions of 0 users.') })
  expect(second.out).not.toContain('Ended again')
  await expectNothingBack(installed, before)
})

test('a server that starts on a copied backup ends everything on the list, and tells its operator what to do', async () => {
  using installed = await createInstallation()
  const { backup } = await liveOn(installed)
  for (const suffix of ['-wal', '-shm']) rmSync(installed.file + suffix, { force: true })
  copyFileSync(backup, installed.file)
  const server = await serve(installed)
  const body = JSON.stringify({ username: 'zoe@example.com', password: 'Demo-1234' })
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${server.url}/api/v1/auth/web_get_token/`, { method: 'POST', headers, body })).status).toBe(401)
  server.signal('SIGTERM')
  expect((await server.ended).out).toContain('run operator.js after-restore')
})

test('without a list, API tokens end too, and the operator can remove all passwords', async () => {
  using installed = await createInstallation()
  const { backup } = await liveOn(installed)
  rmSync(listOf(installed))
  copyFileSync(backup, installed.file)
  const { code, out } = await installed.start('server/operator.ts', {}, ['after-restore', '--new-passwords']).ended
  expect(code).toBe(0)
  expect(out).toMatch(/Ended: \d+ sessions and [1-9]\d* API tokens of \d+ users\./)
  expect(out).toMatch(/Removed: the passwords of [1-9]\d* users/)
  expect(await installed.start('server/operator.ts', {}, ['after-restore', 'now']).ended).toMatchObject({
    code: 1,
    err: expect.stringContaining('Usage: node dist/server/operator.js COMMAND'),
  })
})
