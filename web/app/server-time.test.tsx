import { expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { clock } from '#web/lib/clock.ts'
import { renderAt } from '#web/test/render-at.tsx'

test("the portal uses the server's time even when the device clock is wrong", async () => {
  await using portal = await startPortal({ at: new Date('2031-07-01T09:00:00Z') })
  const { screen } = await renderAt('/account', { portal, as: 'alice@example.com' })
  await screen.findByRole('heading', { level: 1 })
  expect(Math.abs(clock.now().getTime() - portal.clock.now().getTime())).toBeLessThan(60_000)
})
