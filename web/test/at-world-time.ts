import { vi } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { clock } from '#web/lib/clock.ts'

/** A world whose time the portal has as well; for pages over a server that fails in places. */
export async function startWorld() {
  const portal = await startPortal()
  const time = vi.spyOn(clock, 'now').mockImplementation(() => portal.clock.now())
  return Object.assign(portal, {
    async [Symbol.asyncDispose]() {
      time.mockRestore()
      await portal.app.close()
      portal.worlds.closeAll()
    },
  })
}
