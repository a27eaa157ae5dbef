import { createTransport } from 'nodemailer'
import type { mail as contract, MAIL_TEMPLATES } from '#contracts/mock/mail.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { withoutKey } from '#server/mail/mail-dispatch.ts'
import { buildMessage, drawMailMap, type MailPorts, renderMail } from '#server/mail/mail-render.ts'
import { waitForResult } from '#server/mock/events/events.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import { findMail, givenUpColumns, listMails, type MailData, type MailRow, updateMail } from '#server/outbox/outbox.store.ts'
import type { World } from '#server/ports/world.ts'

async function formatEml(world: MailPorts, mail: MailRow) {
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(
    await buildMessage(world, mail, { date: mail.createdAt }),
  )
  return new Uint8Array(message as Buffer)
}

const datetime = '2026-03-02T09:00:00Z'
const tracker = 'Rex'
const key = '00000000-0000-4000-a000-000000000000'

const SAMPLES: { [T in keyof MailData & (typeof MAIL_TEMPLATES)[number]]: MailData[T] } & Record<keyof MailData, object> = {
  confirm_email: { key },
  password_reset: { key },
  password_changed: { datetime },
  change_email: { key },
  change_notice: { datetime, key },
  new_sign_in: { datetime, agent: 'Firefox, Windows', place: '203.0.113.0/24' },
  data_ready: { datetime },
  invitation: { key, inviter: 'Ada Admin' },
  staff_invitation: { key, inviter: 'Ada Admin' },
  place_alert: { type: 'place_enter', tracker, place: 'Home', address: 'Calle 1, Montevideo', datetime },
  allow_alerts: { owner: 'Alice', account: '1', since: '0' },
  ask_alerts: { owner: 'Alice', account: '1', since: '0' },
  rule_alert: { type: 'stands', rule: '{"kind":"stands","minutes":120}', tracker, address: 'Calle 1, Montevideo', datetime },
  vehicle_alert: { tracker: 'Family car', address: 'Calle 1, Montevideo', datetime },
  low_battery: { tracker, device: '1', datetime },
  held_alerts: {
    items: JSON.stringify([
      { kind: 'place_leave', at: datetime, tracker, place: 'Home' },
      { kind: 'low_battery', at: datetime, tracker: 'Misty' },
    ]),
    count: '2',
    account: '1',
  },
  subscription_ended: { tracker, device: '1', datetime, rests: datetime },
  payment_failed: { amount: '1495', currency: 'eur', datetime },
  receipt: { invoice: '1', number: 'INV-1001', amount: '1495', currency: 'eur', tracker, device: '1', datetime },
  refunded: { credit_note: '1', number: 'CN-1001', invoice_number: 'INV-1001', amount: '1495', currency: 'eur', datetime, ended: '1' },
  withdrawal: { reference: 'ORD-1002', email: 'alice@example.com', name: 'Alice', outcome: 'return', datetime },
  order_shipped: { order: 'ORD-1002', contents: 'New tracker', carrier: 'DHL', tracking: '00340434161094', datetime },
  care_claim: { tracker, device: '1', datetime },
  subscription_reminder: {
    items: JSON.stringify([
      { tracker, device: 1, at: datetime, isRenewed: false },
      { tracker: 'Misty', device: 2, at: datetime, isRenewed: true, amount: '1495', currency: 'eur' },
      { tracker: 'Velo', device: 3, at: datetime, isRenewed: false, isResting: true },
    ]),
  },
  network_lost: { tracker, device: '1', datetime },
  tracker_removed: { tracker, identifier: '1000000001' },
  unlink_accepted: { reference: 'U-1', identifier: '1000000001' },
  unlink_refused: { reference: 'UR-000002', identifier: '80000000-01', reason: 'The other account has proven it.' },
  price_change: {
    price: '1 year',
    currency: 'eur',
    datetime,
    items: JSON.stringify([{ tracker, at: datetime, former: 1495, amount: 1695 }]),
  },
  price_stays: {
    ...{ price: '1 year', currency: 'eur', amount: '1695', datetime },
    items: JSON.stringify([{ tracker, at: datetime, amount: 1495 }]),
  },
  months_given: { tracker, device: '1', months: '2', datetime },
  plan_move_refused: { reference: 'UR-000003', from: tracker, to: 'Spare', reason: 'The old tracker still reports.' },
  plan_paused: { tracker, device: '2', until: datetime, datetime },
  plan_resumed: { tracker, device: '2', datetime },
  plan_pause_refused: { reference: 'UR-000004', tracker, reason: 'The tracker was reported stolen.' },
  plan_moved: { from: tracker, to: 'Spare', device: '2', datetime },
  channel_stopped: { label: 'Home server', reason: 'failing' },
  channel_limit: { limit: '500' },
  announcement: { text: 'On Sunday from 8 to 9 positions arrive late.' },
  subscription_code: { code: 'LINK2026', months: '12', extra: '1' },
}

const MAX_LISTED = 200
/** The most mails listed in the response to a wait that timed out. */
const MAX_HINTS = 5

type Filter = { to?: string | undefined; template?: string | undefined }

export const presentMail = (world: World, row: MailRow) => ({
  id: row.id,
  to: row.to,
  template: row.template,
  language: row.language,
  created_at: formatInstant(row.createdAt),
  sent_at: row.sentAt && formatInstant(row.sentAt),
  bounced: row.givenUpAt !== null,
  data: row.data,
  /** Codes a user would type into the portal. */
  codes: row.data.code === undefined ? [] : [row.data.code],
  ...renderMail(row, world),
})

export type Mail = ReturnType<typeof presentMail>

const presentHint = ({ id, to, template, subject, created_at }: Mail) => ({ id, to, template, subject, created_at })

export const listMailbox = async (world: World, filter: Filter) =>
  (await listMails(world.db.read, filter, MAX_LISTED)).map((row) => presentMail(world, row))

export async function findMailInBox(world: World, id: number) {
  const row = await findMail(world.db.read, id)
  return row && presentMail(world, row)
}

/** The HTML of a mail with its picture inline, because a browser shows no attachments. */
async function renderInBrowser(world: World, row: MailRow) {
  const map = await drawMailMap(world, row.data)
  return renderMail(row, world, map && `data:image/jpeg;base64,${map.toString('base64')}`).html
}

export async function findMailPage(world: World, id: number) {
  const row = await findMail(world.db.read, id)
  return row && renderInBrowser(world, row)
}

async function getMailRow(world: World, id: number) {
  const row = await findMail(world.db.read, id)
  if (!row) throw new Failure('not_found')
  return row
}

const toBytes = (text: string) => new TextEncoder().encode(text)

export const mails = (worlds: MockWorlds): Handlers<typeof contract> => ({
  list: ({ query }, world) => listMailbox(world, query),
  read: async ({ params }, world) => presentMail(world, await getMailRow(world, params.id)),
  async html({ params }, world) {
    const html = await renderInBrowser(world, await getMailRow(world, params.id))
    return { filename: `mail-${params.id}.html`, content: toBytes(html) }
  },
  async text({ params }, world) {
    const { text } = presentMail(world, await getMailRow(world, params.id))
    return { filename: `mail-${params.id}.txt`, content: toBytes(text) }
  },
  eml: async ({ params }, world) => ({
    filename: `mail-${params.id}.eml`,
    content: await formatEml(world, await getMailRow(world, params.id)),
  }),
  preview({ params: { template }, query }, world) {
    const { html } = renderMail({ template, language: query.locale, timeZone: null, data: SAMPLES[template] }, world)
    return { filename: `${template}-${query.locale}.html`, content: toBytes(html) }
  },
  async wait({ body: { after = 0, timeout_ms, ...filter } }, world) {
    const newest = async () => (await listMailbox(world, filter)).find(({ id }) => id > after)
    const message = await waitForResult(worlds.get(world.id)!.events, timeout_ms, newest)
    if (!message) throw new Failure('nothing_came', { mails: (await listMailbox(world, {})).slice(0, MAX_HINTS).map(presentHint) })
    return { message, links: message.links, codes: message.codes }
  },
  async bounce({ params: { id } }, world) {
    const mail = await getMailRow(world, id)
    await world.db.write('everything', (tx) => updateMail(tx, mail, { ...givenUpColumns(world.clock.now()), data: withoutKey(mail.data) }))
    return presentMail(world, await getMailRow(world, id))
  },
})
