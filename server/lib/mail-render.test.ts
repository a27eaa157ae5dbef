import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/constants.ts'
import type { MailData } from './mail.ts'
import { renderMail } from './mail-render.ts'

const origin = 'https://portal.test'
const datetime = '2026-03-02T09:05:00.000Z'
const samples: { [T in keyof MailData]: MailData[T] } = {
  confirm_email: { key: 'key-1' },
  password_reset: { key: 'key-2' },
  place_alert: { type: 'place_enter', tracker: 'Rex', place: 'Home', address: 'Calle Ituzaingó 1280', datetime },
  vehicle_alert: { tracker: 'Family car', datetime },
  low_battery: { tracker: 'Puppy', device: '18', datetime },
  subscription_code: { code: 'LINK2026', months: '12', extra: '1' },
}
const all = LANGUAGES.flatMap((language) => Object.entries(samples).map(([template, data]) => ({ language, template, data })))

describe('rendering', () => {
  test.each(all)('R-1.23 $template in $language fills in everything, in text and in HTML', (mail) => {
    const { subject, text, html, links } = renderMail(mail, { origin })
    for (const said of [subject, text, html]) expect(said).not.toMatch(/\{\{|undefined|NaN|Invalid|\$t\(/)
    expect(subject).not.toMatch(/[a-z]+\.[a-z]+/)
    expect(text).toContain(subject)
    expect(html).toContain(`<html lang="${mail.language}">`)
    for (const link of links) expect(text).toContain(link)
  })

  test.each([
    ['confirm_email', ['https://portal.test/account_confirmation?key=key-1']],
    ['password_reset', ['https://portal.test/login?view=reset_password&key=key-2']],
    ['subscription_code', ['https://portal.test/link_subscription?code=LINK2026']],
    ['low_battery', ['https://portal.test/trackers/18']],
    ['place_alert', []],
    ['vehicle_alert', []],
  ] as const)('D-27 %s links to %j', (template, links) => {
    expect(renderMail({ template, language: 'en', data: samples[template] }, { origin }).links).toEqual(links)
  })

  test('C-01 no link calls its key a token', () => {
    for (const mail of all) expect(renderMail(mail, { origin }).links.join()).not.toContain('token=')
  })

  test('says who, where and when, with the zone', () => {
    const leave = { ...samples.place_alert, type: 'place_leave' }
    const { subject, text } = renderMail({ template: 'place_alert', language: 'en', data: leave }, { origin })
    expect(subject).toBe('Rex left Home')
    expect(text).toContain('Time: March 2, 2026 at 09:05 AM UTC\nAddress: Calle Ituzaingó 1280')
    expect(renderMail({ template: 'place_alert', language: 'fr', data: leave }, { origin }).text).toContain(
      'Heure : 2 mars 2026 à 09:05 UTC',
    )
    expect(renderMail({ template: 'place_alert', language: 'ja', data: leave }, { origin }).text).toContain('日時：2026年3月2日 09:05 UTC')
  })

  test('names are escaped in HTML and can add no line to the head of a mail', () => {
    const tracker = '<img src=x onerror=alert(1)>"&\r\nBcc: everybody@example.com'
    const { subject, html } = renderMail({ template: 'vehicle_alert', language: 'en', data: { tracker, datetime } }, { origin })
    expect(subject).toBe('<img src=x onerror=alert(1)>"& Bcc: everybody@example.com is moving')
    expect(html).not.toContain('<img')
    expect(html).toContain('&#60;img src=x onerror=alert(1)&#62;&#34;&#38; Bcc:')
  })

  test('a mail whose key is forgotten has no link, and an unknown template still shows', () => {
    expect(renderMail({ template: 'password_reset', language: 'en', data: {} }, { origin })).toMatchObject({
      subject: 'Set a new password',
      links: [],
    })
    expect(renderMail({ template: 'of_an_older_release', language: 'en', data: {} }, { origin }).subject).toBe('of_an_older_release')
    expect(renderMail({ template: 'toString', language: 'en', data: {} }, { origin }).subject).toBe('toString')
  })

  test('a time that is none is left out', () => {
    const { text } = renderMail({ template: 'vehicle_alert', language: 'en', data: { tracker: 'Car', datetime: 'soon' } }, { origin })
    expect(text).not.toContain('Time:')
  })
})
