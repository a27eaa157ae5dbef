import { eq } from 'drizzle-orm'
import { devices } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Scenario } from './scene.ts'

export const sct2: Scenario = {
  title: 'Configurable boards: one that is set, one that never was, and a tracker without',
  covers: ['5', '9'],
  routes: ['/config_sct2', '/trackers/:id/settings'],
  cast: ['alice'],
  trackers: ['coldBox', 'hiker', 'rex'],
  arrange: async ({ tx }) => void (await tx.update(devices).set({ boardName: 'SCT2-02' }).where(eq(devices.id, SEED.devices.hiker))),
}
