import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { createEmptyDatabase } from '#server/test/postgres/test-databases.ts'
import { findProgram } from '#server/test/test-process.ts'

const run = (url: string, ...args: string[]) =>
  new Promise<{ code: number; out: string }>((resolve) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: url }
    execFile(process.execPath, args, { env }, (error, out, err) => resolve({ code: error ? 1 : 0, out: out + err }))
  })

test("the operator's programs work on PostgreSQL, or name the tool to use instead", async () => {
  const { url, remove } = await createEmptyDatabase()
  expect(await run(url, '--import', 'tsx', 'scripts/migrate.ts')).toEqual({ code: 0, out: 'The database is at the newest schema\n' })
  const operator = await findProgram('server/operator.ts')
  const [prices, invoices, backup, restore] = await Promise.all([
    run(url, operator, 'prices'),
    run(url, operator, 'invoices'),
    run(url, await findProgram('server/backup.ts'), 'x.db'),
    run(url, await findProgram('server/restore.ts'), 'x.db'),
  ])
  expect([prices, invoices]).toEqual([
    { code: 0, out: '[]\n' },
    { code: 0, out: '' },
  ])
  expect(backup).toEqual({ code: 1, out: expect.stringContaining('pg_dump --format=custom') })
  expect(restore).toEqual({ code: 1, out: expect.stringContaining('pg_restore --no-owner') })
  await remove()
})
