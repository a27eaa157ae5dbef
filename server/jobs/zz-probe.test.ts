import { test } from 'vitest'
import { emails } from '#db/schema/emails.ts'
import { startJobsPortal } from './test-jobs.ts'

test('probe', async () => {
  await using portal = await startJobsPortal()
  const show = async (label: string) =>
    console.log(
      label,
      JSON.stringify(
        (await portal.world.db.read.select().from(emails))
          .filter((m) => !['place_alert'].includes(m.template))
          .map((m) => [m.to, m.template, m.createdAt, m.data]),
        null,
        1,
      ),
    )
  await show('start')
  const fired = await portal.advance('P2D')
  console.log(JSON.stringify(fired.filter((f) => /remind|subscr/.test(f.kind))))
  await show('after')
}, 60000)
