import type { deviceKeys } from '#db/schema/devices.ts'
import type { emails } from '#db/schema/emails.ts'
import type { theftReports } from '#db/schema/sharing.ts'
import { sha256 } from './hashes.ts'
import type { Moments } from './moments.ts'
import { persona } from './personas.ts'
import { SEED } from './seed-ids.ts'
import { CODES, DEVICE_KEY } from './seed-keys.ts'
import type { Spots } from './spots.ts'

export const deviceKeyRows: (typeof deviceKeys.$inferInsert)[] = [{ hash: sha256(DEVICE_KEY), label: 'Demo gateway' }]

export const theftRows = (at: Moments, spots: Spots): (typeof theftReports.$inferInsert)[] => [
  {
    id: SEED.theftReport,
    deviceId: SEED.devices.stolenScooter,
    date: at({ hours: -22 }),
    address: spots('blanqueada').label,
    description: 'Taken from the pavement in front of the house, the chain was cut.',
    policeReference: 'MVD-2291',
    status: 'open',
    createdAt: at({ hours: -20 }),
    closedAt: null,
  },
]

/** The mailbox at the anchor holds one mail with the code that links a subscription. */
export const emailRows = (at: Moments): (typeof emails.$inferInsert)[] => [
  {
    id: 1,
    to: persona('alice').email,
    template: 'subscription_code',
    language: persona('alice').language,
    data: { code: CODES.valid, months: '12', extra: '1' },
    createdAt: at({ hours: -1 }),
    sentAt: at({ hours: -1 }),
    attempts: 1,
    nextAttemptAt: null,
  },
]
