import { eq } from 'drizzle-orm'
import type { LiveEvent } from '#db/db.ts'
import { devices } from '#db/schema/devices.ts'
import { emails } from '#db/schema/messages.ts'
import type { DeviceRow } from '#db/scope.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { ANCHOR } from '#server/test/test-files.ts'

export const hours = (count: number) => new Date(ANCHOR.getTime() + count * 3_600_000)
export const days = (count: number) => hours(24 * count)

export async function startJobsPortal(options: Parameters<typeof startPortal>[0] = {}) {
  const portal = await startPortal(options)
  const { db } = portal.world
  const heard: LiveEvent[] = []
  db.onEvent((event) => void heard.push(event))
  return {
    ...portal,
    change: (id: number, changes: Partial<DeviceRow>) =>
      db.write('everything', (tx) => tx.update(devices).set(changes).where(eq(devices.id, id))),
    device: async (id: number) => (await db.read.select().from(devices).where(eq(devices.id, id)))[0]!,
    mails: (template: string) => db.read.select().from(emails).where(eq(emails.template, template)).orderBy(emails.id),
    told: (id: number, type: string) =>
      heard.filter((event) => event.deviceId === id && event.type === type).map(({ data }) => JSON.parse(data)),
    async advance(by: string, kind?: string) {
      const { status, body } = await portal.call(null, 'POST', '/mock/clock/advance', { by })
      if (status !== 200) throw new Error(JSON.stringify(body))
      return (body.fired as { at: string; kind: string; ref: string }[]).filter((one) => !kind || one.kind === kind)
    },
    [Symbol.asyncDispose]: portal[Symbol.asyncDispose],
  }
}
