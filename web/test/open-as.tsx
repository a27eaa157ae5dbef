import { configure } from '@testing-library/react'
import { vi } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { clock } from '#web/lib/clock.ts'
import { renderAt } from './render-at.tsx'

// Whole screens over a whole server: on a busy machine slow, not wrong.
vi.setConfig({ testTimeout: 90_000 })
configure({ asyncUtilTimeout: 30_000 })

/** The portal at an address over a world of its own, signed in as a seeded person, both at the world's time. */
export async function openAs(email: string, path: string) {
  const portal = await startPortal()
  const time = vi.spyOn(clock, 'now').mockImplementation(() => portal.clock.now())
  const view = await renderAt(path, { portal, as: email })
  return {
    ...view,
    portal,
    async [Symbol.asyncDispose]() {
      view.unmount()
      time.mockRestore()
      await portal[Symbol.asyncDispose]()
    },
  }
}
