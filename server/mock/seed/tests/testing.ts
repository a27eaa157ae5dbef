import { afterAll, expect } from 'vitest'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import type { Offset } from '#server/mock/seed/records/moments.ts'
import { at } from '#server/mock/seed/testing.ts'
import { startPortal } from '#server/test/start-portal.ts'

export const t0 = (offset: Offset = {}) => formatInstant(at(offset))

export const emailOf = (key: string) => ({ admin: 'admin@pro.example.com', member: 'member@pro.example.com' })[key] ?? `${key}@example.com`

/** Starts one seeded portal for all read-only tests of a file; closed after them. */
export async function startSharedPortal() {
  const portal = await startPortal()
  afterAll(() => portal[Symbol.asyncDispose]())
  /** Reads a URL as a persona; fails unless the status is 200. */
  async function read<T>(key: string | null, url: string): Promise<T> {
    const { status, body } = await portal.call(key && emailOf(key), 'GET', url)
    expect({ url, status }).toEqual({ url, status: 200 })
    return body
  }
  return { portal, read, trackersOf: (key: string) => read<Device[]>(key, '/devices/?type=tracker') }
}
