import { vi } from 'vitest'
import type { StaffRole } from '#contracts/lib/staff-rights.ts'
import { FEATURES } from '#contracts/reader/features.ts'
import { staff as staffTable } from '#db/schema/staff.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { clock } from '#web/lib/clock.ts'
import { consoleQueries } from '#web/operator/session/session-state.ts'
import { renderAt } from './render-at.tsx'

type Options = {
  /** Signed in with this role; without it nobody is. */
  role?: StaffRole
  /** An owner who is signed in to the portal. */
  owner?: string
  /** Without the staff that every world has. */
  isAlone?: true
}

/** Opens the operator's console with the real server in process. The cookie is kept as a browser keeps it. */
export async function openConsole(path: string, { role, owner, isAlone }: Options = {}) {
  consoleQueries.clear()
  const portal = await startPortal()
  if (isAlone) await portal.world.db.write('everything', (tx) => tx.delete(staffTable))
  const time = vi.spyOn(clock, 'now').mockImplementation(() => portal.clock.now())
  const staff = role && (await signInStaffAs(portal.world, { email: 'nora@shop.example', name: 'Nora King', role }))
  const jar = { cookie: staff?.cookie ?? '' }
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers)
    if (jar.cookie) headers.set('cookie', jar.cookie)
    const response = await portal.fetch(input, { ...init, headers })
    jar.cookie = response.headers.get('set-cookie')?.split(';')[0] ?? jar.cookie
    return response
  }
  const page = await renderAt(path, {
    portal: { fetch, token: portal.token },
    config: { features: [...FEATURES] },
    ...(owner && { as: owner }),
  })
  return {
    ...page,
    portal,
    jar,
    async [Symbol.asyncDispose]() {
      page.unmount()
      time.mockRestore()
      await portal[Symbol.asyncDispose]()
    },
  }
}
