import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import type { MailData } from '#server/outbox/outbox.store.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { renderMail } from './mail-render.ts'

const origin = 'https://portal.test'
const world = { origin, productName: 'Acme', withdraws: true, secondFactor: { key: new Uint8Array(32), isRequired: false } }
const datetime = '2026-03-02T09:05:00.000Z'
const samples: { [T in keyof MailData]: MailData[T] } = {
  confirm_email: { key: 'key-1' },
  password_reset: { key: 'key-2' },
  password_changed: { datetime },
  change_email: { key: 'key-3' },
  change_notice: { datetime, key: 'key-5' },
  new_sign_in: { datetime, agent: 'Firefox, Windows', place: '203.0.113.0/24' },
  data_ready: { datetime },
  invitation: { key: 'key-4', inviter: 'Ada Admin' },
  staff_invitation: { key: 'key-6', inviter: 'Ada Admin' },
  place_alert: { type: 'place_enter', tracker: 'Rex', place: 'Home', address: 'Calle Ituzaingó 1280', datetime },
  vehicle_alert: { tracker: 'Family car', datetime },
  rule_alert: { type: 'stands', rule: '{"kind":"stands","minutes":120}', tracker: 'Rex', datetime },
  allow_alerts: { owner: 'Ada', account: '1', since: '1772442000000' },
  ask_alerts: { owner: 'Ada', account: '1', since: '1772442000000' },
  low_battery: { tracker: 'Puppy', device: '18', datetime },
  held_alerts: { items: JSON.stringify([{ kind: 'place_leave', at: datetime, tracker: 'Rex', place: 'Home' }]), count: '9', account: '1' },
  refunded: { credit_note: '1', number: 'CN-1001', invoice_number: 'INV-1001', amount: '1495', currency: 'eur', datetime, ended: '1' },
  withdrawal: { reference: 'ORD-1002', email: 'alice@example.com', name: 'Alice', outcome: 'return', datetime },
  order_shipped: { order: 'ORD-1002', contents: 'New tracker', carrier: 'DHL', tracking: '00340434161094', datetime },
  care_claim: { tracker: 'Family car', device: '1', datetime },
  subscription_ended: { tracker: 'Misty', device: '2', datetime },
  payment_failed: { amount: '1495', currency: 'eur', datetime },
  receipt: { invoice: '9', number: 'INV-1009', amount: '1495', currency: 'eur', tracker: 'Misty', device: '2', datetime },
  subscription_reminder: { items: JSON.stringify([{ tracker: 'Misty', device: 2, at: datetime, isRenewed: false }]) },
  network_lost: { tracker: 'Land Rover', device: '41', datetime },
  channel_stopped: { label: 'Home server', reason: 'failing' },
  channel_limit: { limit: '500' },
  tracker_removed: { tracker: 'Moto', identifier: '80000000-01' },
  unlink_accepted: { reference: 'UR-000002', identifier: '80000000-01' },
  unlink_refused: { reference: 'UR-000002', identifier: '80000000-01', reason: 'It was sold to the other account.' },
  price_change: {
    price: '1 year',
    currency: 'eur',
    datetime,
    items: JSON.stringify([{ tracker: 'Rex', at: datetime, former: 1495, amount: 1695 }]),
  },
  price_stays: {
    ...{ price: '1 year', currency: 'eur', amount: '1695', datetime },
    items: JSON.stringify([{ tracker: 'Rex', at: datetime, amount: 1495 }]),
  },
  months_given: { tracker: 'Rex', device: '1', months: '2', datetime },
  plan_move_refused: { reference: 'UR-000003', from: 'Old collar', to: 'Spare', reason: 'The old tracker still reports.' },
  plan_paused: { tracker: 'Old collar', device: '2', until: datetime, datetime },
  plan_resumed: { tracker: 'Old collar', device: '2', datetime },
  plan_pause_refused: { reference: 'UR-000004', tracker: 'Old collar', reason: 'The tracker was reported stolen.' },
  plan_moved: { from: 'Old collar', to: 'Spare', device: '2', datetime },
  announcement: { text: 'On Sunday the map rests for an hour.' },
  subscription_code: { code: 'LINK2026', months: '12', extra: '1' },
}
const all = LANGUAGES.flatMap((language) => Object.entries(samples).map(([template, data]) => ({ language, template, data })))
const nameOf = ({ template, language }: (typeof all)[number]) => `${template} in ${language}`

describe('rendering mails', () => {
  test('R-1.23 every mail in every language fills in all placeholders, in text and in HTML', async () => {
    const failures = await collectFailures(all, nameOf, (mail) => {
      const { subject, text, html, links } = renderMail(mail, world)
      for (const said of [subject, text, html]) expect(said).not.toMatch(/\{\{|undefined|NaN|Invalid|\$t\(/)
      expect(subject).not.toMatch(/[a-z]+\.[a-z]+/)
      expect(text).toContain(subject)
      expect(html).toContain(`<html lang="${mail.language}">`)
      for (const link of links) expect(text).toContain(link)
      for (const [, address] of [...html.matchAll(/(?:href|src)="([^"]*)"/g)]) expect(address).toMatch(/^https:\/\/portal\.test\//)
      for (const [address] of text.matchAll(/\w+:\/\/\S+/g)) expect(new URL(address).origin).toBe(origin)
    })
    expect(failures).toEqual([])
  })

  const long = {
    tracker: 'Wanda '.repeat(8).trim(),
    place: '広い庭のある家'.repeat(7).slice(0, 49),
    inviter: `${'Ann-Kathrin '.repeat(4)}${'von '.repeat(13)}`,
  }
  test('R-3.2 every mail in every language has a subject of at most 78 characters and a heading with full names', async () => {
    const failures = await collectFailures(all, nameOf, (mail) => {
      const data = { ...mail.data, ...Object.fromEntries(Object.entries(long).filter(([name]) => name in mail.data)) }
      const { subject, text, html } = renderMail({ ...mail, data }, world)
      expect([...subject].length).toBeLessThanOrEqual(78)
      for (const said of [subject, text, html]) expect(said).not.toMatch(/\{\{|undefined/)
      for (const name of Object.keys(data).filter((key) => key in long)) expect(text).toContain(long[name as keyof typeof long])
    })
    expect(failures).toEqual([])
  })

  test('names are shortened only as far as needed, the longest first, and no character is cut in two', () => {
    const subjectOf = (tracker: string, place: string) =>
      renderMail({ template: 'place_alert', language: 'en', data: { ...samples.place_alert, tracker, place } }, world).subject
    expect(subjectOf('Rex', 'x'.repeat(62))).toBe(`Rex arrived at ${'x'.repeat(62)}`)
    expect(subjectOf('Rex', 'x'.repeat(80))).toBe(`Rex arrived at ${'x'.repeat(62)}…`)
    expect(subjectOf('x'.repeat(50), 'y'.repeat(80))).toBe(`${'x'.repeat(32)}… arrived at ${'y'.repeat(32)}…`)
    expect(subjectOf('Rex', '👩‍👩‍👧'.repeat(20))).toMatch(/^Rex arrived at (👩‍👩‍👧)+…$/u)
  })

  const LINKS = [
    ['staff_invitation', ['https://portal.test/operator/invitation?key=key-6']],
    ['confirm_email', ['https://portal.test/account_confirmation?key=key-1']],
    ['password_reset', ['https://portal.test/login?view=reset_password&key=key-2']],
    ['password_changed', ['https://portal.test/login?view=reset_password']],
    ['new_sign_in', ['https://portal.test/account/security']],
    ['data_ready', ['https://portal.test/account/security']],
    ['change_email', ['https://portal.test/account_email_update_complete?key=key-3']],
    ['change_notice', ['https://portal.test/mail/keep-address/?language=en&key=key-5']],
    ['invitation', ['https://portal.test/login?view=reset_password&key=key-4']],
    ['subscription_code', ['https://portal.test/link_subscription?code=LINK2026']],
    ['low_battery', ['https://portal.test/trackers/18']],
    ['refunded', ['https://portal.test/invoices']],
    ['withdrawal', ['https://portal.test/contact_us']],
    ['order_shipped', ['https://portal.test/orders/ORD-1002']],
    ['care_claim', ['https://portal.test/trackers/1/settings']],
    ['held_alerts', ['https://portal.test/alerts/fired']],
    ['subscription_ended', ['https://portal.test/subscription?devices=2']],
    ['payment_failed', ['https://portal.test/invoices']],
    ['receipt', ['https://portal.test/trackers/2']],
    ['subscription_reminder', ['https://portal.test/subscription?devices=2']],
    ['network_lost', ['https://portal.test/network_activate?id=41']],
    ['channel_stopped', ['https://portal.test/account/preferences']],
    ['channel_limit', ['https://portal.test/account/preferences']],
    ['tracker_removed', ['https://portal.test/contact_us']],
    ['unlink_accepted', ['https://portal.test/trackers/add']],
    ['announcement', ['https://portal.test/']],
    ['unlink_refused', ['https://portal.test/contact_us']],
    ['price_change', ['https://portal.test/subscriptionSelector']],
    ['price_stays', ['https://portal.test/subscriptionSelector']],
    ['months_given', ['https://portal.test/trackers/1']],
    ['plan_move_refused', ['https://portal.test/contact_us']],
    ['plan_moved', ['https://portal.test/trackers/2']],
    ['plan_paused', ['https://portal.test/subscription?devices=2']],
    ['plan_resumed', ['https://portal.test/trackers/2']],
    ['plan_pause_refused', ['https://portal.test/contact_us']],
    ['place_alert', []],
    // The link of this mail contains its recipient's address.
    ['allow_alerts', []],
    ['ask_alerts', []],
    ['vehicle_alert', []],
    ['rule_alert', []],
  ] as const
  test('each mail links to its page of the portal', async () => {
    expect(LINKS.map(([template]) => template).toSorted()).toEqual(Object.keys(samples).toSorted())
    const failures = await collectFailures(
      LINKS,
      ([template]) => template,
      ([template, links]) => expect(renderMail({ template, language: 'en', data: samples[template] }, world).links).toEqual(links),
    )
    expect(failures).toEqual([])
  })

  test('mails about a purchase link to the page on which customers withdraw, unless there is none', () => {
    const receipt = { template: 'receipt', language: 'de', data: samples.receipt } as const
    const page = 'https://portal.test/mail/withdraw/?language=de&reference='
    expect(renderMail(receipt, world).text).toContain(`Vertrag widerrufen\n${page}INV-1009\n`)
    expect(renderMail({ ...receipt, template: 'order_shipped', data: samples.order_shipped }, world).text).toContain(`${page}ORD-1002\n`)
    expect(renderMail(receipt, { ...world, withdraws: false }).text).not.toContain('withdraw')
    expect(renderMail({ ...receipt, template: 'refunded', data: samples.refunded }, world).text).not.toContain('withdraw')
  })

  test('no link calls its key a token', () => {
    for (const mail of all) expect(renderMail(mail, world).links.join()).not.toContain('token=')
  })

  test('a mail says who, where and when, with the time zone', () => {
    const leave = { ...samples.place_alert, type: 'place_leave' }
    const { subject, text } = renderMail({ template: 'place_alert', language: 'en', data: leave }, world)
    expect(subject).toBe('Rex left Home')
    expect(text).toContain('Time: 2 March 2026 at 09:05 Coordinated Universal Time\nAddress: Calle Ituzaingó 1280')
    expect(renderMail({ template: 'place_alert', language: 'fr', data: leave }, world).text).toContain(
      'Heure : 2 mars 2026 à 09:05 temps universel coordonné',
    )
    expect(renderMail({ template: 'place_alert', language: 'ja', data: leave }, world).text).toContain(
      '日時：2026年3月2日 09:05 協定世界時',
    )
  })

  test('a mail to others than the owner names the tracker with its owner', () => {
    const data = { ...samples.place_alert, type: 'place_leave', owner: 'Alice' }
    const subjectIn = (language: 'en' | 'de' | 'ja') => renderMail({ template: 'place_alert', language, data }, world).subject
    expect(subjectIn('en')).toBe('Alice’s Rex left Home')
    expect([subjectIn('de'), subjectIn('ja')]).toEqual([
      expect.stringContaining('Rex von Alice'),
      expect.stringContaining('AliceさんのRex'),
    ])
  })

  test('an alert with a place on the map shows its picture and a button, and other mails have neither', () => {
    const data = { ...samples.place_alert, lat: '-34.9', lng: '-56.16', device: '1' }
    const { html, links } = renderMail({ template: 'place_alert', language: 'en', data }, world, 'cid:map')
    expect(html).toContain('<img src="cid:map" alt="Map: Rex"')
    expect(html).toContain('>Open on the map</a>')
    expect(links).toEqual(['https://portal.test/trackers/1'])
    expect(renderMail({ template: 'low_battery', language: 'en', data: samples.low_battery }, world, 'cid:map').html).not.toContain('<img')
  })

  test('mails follow a dark system', () => {
    const { html } = renderMail({ template: 'low_battery', language: 'en', data: samples.low_battery }, world)
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('prefers-color-scheme:dark')
  })

  const TIMES = [
    ['America/Montevideo', '2 March 2026 at 06:05 Uruguay Standard Time'],
    ['Asia/Tokyo', '2 March 2026 at 18:05 Japan Standard Time'],
    [null, '2 March 2026 at 09:05 Coordinated Universal Time'],
    ['Europe/Atlantis', '2 March 2026 at 09:05 Coordinated Universal Time'],
  ] as const
  test('mails show times in the recipient’s time zone, which they name, or in UTC when it is unknown', async () => {
    const failures = await collectFailures(
      TIMES,
      ([timeZone]) => String(timeZone),
      ([timeZone, time]) => {
        for (const template of ['place_alert', 'vehicle_alert', 'low_battery', 'password_changed', 'change_notice'] as const) {
          const { text, html } = renderMail({ template, language: 'en', timeZone, data: samples[template] }, world)
          expect([text, html]).toEqual([expect.stringContaining(time), expect.stringContaining(time)])
        }
      },
    )
    expect(failures).toEqual([])
  })

  test('names cannot inject HTML into any mail in any language', async () => {
    const failures = await collectFailures(all, nameOf, (mail) => {
      const sneaky = '<a href="https://evil.test">"&'
      const data = Object.fromEntries(Object.keys(mail.data).map((name) => [name, name === 'datetime' ? datetime : sneaky]))
      expect(renderMail({ ...mail, data }, world).html).not.toMatch(/evil\.test"|<a href="https:\/\/evil/)
    })
    expect(failures).toEqual([])
  })

  test('names are escaped in HTML and cannot add a header to a mail', () => {
    const tracker = '<img src=x onerror=alert(1)>"&\r\nBcc: everybody@example.com'
    const { subject, html } = renderMail({ template: 'vehicle_alert', language: 'en', data: { tracker, datetime } }, world)
    expect(subject).toBe('<img src=x onerror=alert(1)>"& Bcc: everybody@example.com is moving')
    expect(html).not.toContain('<img')
    expect(html).toContain('&#60;img src=x onerror=alert(1)&#62;&#34;&#38; Bcc:')
  })

  test('a mail whose key is deleted has no link, and an unknown template still renders', () => {
    expect(renderMail({ template: 'password_reset', language: 'en', data: {} }, world)).toMatchObject({
      subject: 'Set a new password',
      links: [],
    })
    expect(renderMail({ template: 'of_an_older_release', language: 'en', data: {} }, world).subject).toBe('of_an_older_release')
    expect(renderMail({ template: 'toString', language: 'en', data: {} }, world).subject).toBe('toString')
  })

  test('an invalid time is left out', () => {
    const { text } = renderMail({ template: 'vehicle_alert', language: 'en', data: { tracker: 'Car', datetime: 'soon' } }, world)
    expect(text).not.toContain('Time:')
  })
})
