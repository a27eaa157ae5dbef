import { theftReports } from '#db/schema/sharing.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { Scenario } from './scene.ts'

export const theft: Scenario = {
  title: 'A stolen scooter that is followed, a car that came back, a cat on the run',
  covers: ['2', '4', '8'],
  routes: ['/trackers/:id', '/trackers/:id/history', '/app/theft_file'],
  cast: ['alice', 'support'],
  trackers: ['stolenScooter', 'familyCar', 'runawayCat'],
  async arrange({ tx, at }) {
    await tx.insert(theftReports).values({
      id: SEED.theftReport + 1,
      deviceId: SEED.devices.familyCar,
      date: at({ days: -90 }),
      address: 'Zelmar Michelini 1326',
      description: 'Gone from the garage overnight; found two streets further.',
      policeReference: 'MVD-1874',
      status: 'closed',
      createdAt: at({ days: -90 }),
      closedAt: at({ days: -88 }),
    })
  },
}
