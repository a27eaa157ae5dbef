import { vi } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { clock } from '#web/lib/clock.ts'

/** Starts a server whose clock the portal uses as well; for tests with failing endpoints. */
export async function startSyncedPortal(options?: Parameters<typeof startPortal>[0]) {
  const portal = await startPortal(options)
  const time = vi.spyOn(clock, 'now').mockImplementation(() => portal.clock.now())
  return Object.assign(portal, {
    async [Symbol.asyncDispose]() {
      time.mockRestore()
      await portal.app.close()
      portal.worlds.closeAll()
    },
  })
}
