import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readEndings } from '#server/recovery/endings-file.ts'
import { ENDED, findNothingBack, liveAfterBackup, liveUntilBackup } from '#server/recovery/test-lost-day.ts'
import { startSmtp } from '#server/test/test-smtp.ts'
import { startCluster } from './cluster.ts'

test('after a restore of PostgreSQL, the operator ends again what people had ended, and no mail is sent twice', async () => {
  await using smtp = await startSmtp()
  // Mails wait until after the restore, because this port has no mail server yet.
  const env = { SMTP_URL: 'smtp://127.0.0.1:1', REQUIRE_SECOND_FACTOR: 'off' }
  await using cluster = await startCluster({ servers: 1, env, isRecorded: false })
  const [url] = cluster.urls() as [string]
  const list = path.join(cluster.data, 'endings.jsonl')
  const before = await liveUntilBackup(url)
  const copy = (from: string, to: string) => cluster.queryOf('postgres', `create database ${to} template ${from}`)

  await cluster.restart(() => copy('portal', 'backup'))
  await liveAfterBackup(url, before)
  const kinds = () => (existsSync(list) ? readEndings(list)! : []).map(({ kind }) => kind)
  await expect.poll(kinds).toEqual(expect.arrayContaining(ENDED))

  env.SMTP_URL = smtp.url
  await cluster.restart(async () => {
    await cluster.queryOf('postgres', 'drop database portal')
    await copy('backup', 'portal')
    const { code, out } = await cluster.operate('after-restore')
    expect([code, out]).toEqual([0, expect.stringContaining('Ended again: 1 erased users.')])
    expect(out).toMatch(/Held: [1-9]\d* mails/)
  })
  await findNothingBack(url, before, smtp.taken)
  expect(
    await cluster.query("select 1 from users where email = 'zoe@example.com' union select 1 from devices where account_id = 11"),
  ).toEqual([])
})
