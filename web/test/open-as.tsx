import { vi } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { clock } from '#web/lib/clock.ts'
import type { Config } from '#web/lib/config.ts'
import { type Fault, withFaults } from './faults.ts'
import { lastPage } from './last-page.ts'
import { renderAt } from './render-at.tsx'

/** Opens the portal in a world of its own, signed in as a seeded user, with the clocks of portal and world in sync. */
export async function openAs(email: string, path: string, config: Partial<Config> = {}, faults: Record<string, Fault> = {}) {
  const portal = await startPortal()
  const time = vi.spyOn(clock, 'now').mockImplementation(() => portal.clock.now())
  const view = await renderAt(path, { portal: withFaults(portal, faults), as: email, config })
  return {
    ...view,
    portal,
    async [Symbol.asyncDispose]() {
      lastPage.body = document.body.cloneNode(true) as Element
      view.unmount()
      time.mockRestore()
      await portal[Symbol.asyncDispose]()
    },
  }
}
