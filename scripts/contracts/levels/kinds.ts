import type { CallInput } from '#contracts/lib/client.ts'
import type { Row } from '#scripts/contracts/client/backend.ts'
import type { Made } from '#scripts/contracts/client/clean-up.ts'

/** How test objects of one kind are created, found and removed. */
type Kind = {
  create: string
  list: string
  get?: string
  /** Update endpoint, with a body that changes one field. */
  change?: { name: string; body: Row }
  remove: string
  /** Field that holds the unique name. */
  mark: string
  body(mark: string, now: Date): Row
  idOf(row: Row, made: Made): CallInput
}

const HOUR_MS = 3_600_000
const byId = ({ id }: Row): CallInput => ({ params: { id } })

const kinds: Record<Made['kind'], Kind> = {
  tags: {
    create: 'tags.create',
    list: 'tags.list',
    change: { name: 'tags.update', body: { color: '#7a3fb2' } },
    remove: 'tags.remove',
    mark: 'name',
    body: (name) => ({ name, color: '#1f6fb2' }),
    idOf: byId,
  },
  contacts: {
    create: 'contacts.create',
    list: 'contacts.list',
    change: { name: 'contacts.update', body: { phone: '+47 21 00 00 00' } },
    remove: 'contacts.remove',
    mark: 'name',
    body: (name) => ({ name, email: `${name}@example.com` }),
    idOf: byId,
  },
  places: {
    create: 'places.create',
    list: 'places.list',
    get: 'places.get',
    change: { name: 'places.update', body: { radius: 250 } },
    remove: 'places.remove',
    mark: 'name',
    body: (name) => ({ name, address: 'Null Island', type: 'other', lat: 0, lng: 0 }),
    idOf: byId,
  },
  links: {
    create: 'links.create',
    list: 'links.listOf',
    get: 'links.read',
    remove: 'links.remove',
    mark: 'label',
    body: (label, now) => ({ label, end_date: new Date(now.getTime() + HOUR_MS).toISOString() }),
    idOf: ({ uuid }) => ({ params: { uuid } }),
  },
  alerts: {
    create: 'alerts.create',
    list: 'alerts.list',
    get: 'alerts.get',
    change: { name: 'alerts.update', body: { trigger: 'leave' } },
    remove: 'alerts.remove',
    mark: 'name',
    body: (name) => ({ name }),
    idOf: byId,
  },
  keys: {
    create: 'deviceKeys.create',
    list: 'deviceKeys.list',
    remove: 'deviceKeys.remove',
    mark: 'label',
    body: (label) => ({ label }),
    idOf: ({ id: key }, { device: id }) => ({ params: { id, key } }),
  },
}

export const kindOf = (name: Made['kind']) => kinds[name]
