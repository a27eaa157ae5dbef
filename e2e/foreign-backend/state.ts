import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createTrackers, type Tracker } from './trackers.ts'

export type User = {
  id: number
  username: string
  email: string
  password: string
  emailConfirmed: boolean
  role: 'user' | 'admin'
  firstName: string
  lastName: string
  birthday: string | null
  marketing: boolean
}

export type ShareLink = {
  uuid: string
  token: string
  trackerId: number
  label: string
  start: Date
  end: Date | null
  isPermanent: boolean
  isFromBeginning: boolean
  hasLastPoint: boolean
}

type PaymentSession = { id: string; trackerId: number; months: number; isPaid: boolean }

export type State = {
  users: User[]
  trackers: Tracker[]
  links: ShareLink[]
  /** Months of the subscriptions that wait for their verification code. */
  codes: Map<string, number>
  sessions: Map<string, number>
  payments: Map<string, PaymentSession>
  /** Times of failed sign-ins of a username. */
  failures: Map<string, number[]>
  /** Wrong serial numbers, by tracker or by user. */
  mismatches: Map<string, number>
  /** Addresses to which confirmation e-mails were sent. */
  mails: string[]
}

export const PASSWORD = 'Correct-horse-7'

const createUser = (id: number, name: string, values: Partial<User> = {}): User => ({
  id,
  username: `${name}@example.org`,
  email: `${name}@example.org`,
  password: PASSWORD,
  emailConfirmed: true,
  role: 'user',
  firstName: name.charAt(0).toUpperCase() + name.slice(1),
  lastName: 'Byron',
  birthday: '1990-12-10',
  marketing: false,
  ...values,
})

export const createState = (trackerCount: number, now: Date): State => ({
  users: [createUser(1, 'ada'), createUser(2, 'grace', { lastName: 'Hopper', role: 'admin', emailConfirmed: false, birthday: null })],
  trackers: createTrackers(trackerCount, now),
  links: [],
  codes: new Map([
    ['K7Q2M9', 12],
    ['90210', 1],
    ['4f-77', 24],
  ]),
  sessions: new Map(),
  payments: new Map(),
  failures: new Map(),
  mismatches: new Map(),
  mails: [],
})

export const createToken = () => randomBytes(20).toString('hex')
export const createUuid = () => randomUUID()
/** The same name always has the same UUID. */
export const nameUuid = (name: string) =>
  createHash('sha1')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5')

/** Adds a permanent link to a tracker, as if its owner had made it earlier. */
export function addLink({ links }: State, trackerId: number, token?: string): ShareLink {
  const uuid = randomUUID()
  const shown = { isPermanent: true, isFromBeginning: false, hasLastPoint: false }
  const link = { uuid, token: token ?? uuid, trackerId, label: 'For the vet', start: new Date('2020-01-01'), end: null, ...shown }
  links.push(link)
  return link
}
