import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createInstallation } from '#server/test/test-process.ts'

test('a backup of a running server can be restored once the server has stopped', async () => {
  using installed = await createInstallation()
  installed.seed()
  const kept = path.join(installed.data, 'kept.db')
  const say = (entry: 'server/backup.ts' | 'server/restore.ts', ...args: string[]) => installed.start(entry, {}, args).ended

  const server = installed.start('server/main.ts', { PORT: '0', LOG_LEVEL: 'info' })
  await server.says('listening')
  expect(await say('server/backup.ts', kept)).toMatchObject({ code: 0, out: `Backed up ${installed.file} to ${kept}\n` })
  expect(statSync(kept).mode & 0o777, 'only its owner reads a backup').toBe(0o600)
  expect(await say('server/backup.ts', kept)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`${kept} exists`) })
  expect(await say('server/restore.ts', kept)).toMatchObject({ code: 1, err: expect.stringContaining('Stop the other server') })

  server.signal('SIGTERM')
  await server.ended
  const restored = await say('server/restore.ts', kept)
  expect(restored).toMatchObject({
    code: 0,
    out: expect.stringContaining(`Restored ${installed.file} from ${kept}. The previous database is now`),
  })
  for (const name of readdirSync(installed.data)) expect([name, statSync(path.join(installed.data, name)).mode & 0o077]).toEqual([name, 0])
  await installed.start('server/main.ts', { PORT: '0', LOG_LEVEL: 'info' }).says('listening')
})

test.each(['server/backup.ts', 'server/restore.ts'] as const)('%s without a file name prints its usage', async (entry) => {
  using installed = await createInstallation()
  expect(await installed.start(entry).ended).toMatchObject({ code: 1, out: '', err: expect.stringContaining('-- FILE') })
})
