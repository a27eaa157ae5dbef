import * as z from 'zod/mini'
import { FAILING_DAYS } from '#contracts/accounts/channels.ts'
import { type AlertRule, FiredRule } from '#contracts/alerts.ts'
import { STAFF_INVITATION_DAYS, STAFF_INVITATION_PATH } from '#contracts/operator/staff.ts'
import { NETWORK_SILENCE_DAYS } from '#contracts/rules/tracking/reporting.ts'
import { RULE_KINDS } from '#contracts/rules/tracking/rules/rule.ts'
import { formatMeters, formatRuleValues } from '#contracts/rules/tracking/rules/rule-values.ts'
import { EMAIL_KEY_HOURS } from '#server/outbox/mail-keys.ts'
import type { HeldItem, MailTemplate } from '#server/outbox/outbox.store.ts'
import { alertTitle } from './alert-title.ts'
import { billingLetters } from './billing-letters.ts'
import {
  buildAction,
  buildTitle,
  formatLocale,
  formatMoment,
  type Letter,
  type LetterInput,
  parseItems,
  pickNames,
  presentTimeAndPlace,
  type Recipient,
} from './letter-parts.ts'
import { createTranslate } from './mail-translate.ts'

/** Collapses line breaks, so that no name can add a header to a mail. */
const stripControlCharacters = (data: Record<string, string>) =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value).replace(/\p{Cc}+/gu, ' ')]))

const HOURS_A_DAY = 24

const letters: { [T in MailTemplate]: (input: LetterInput<T>) => Letter } = {
  confirm_email: ({ t, data, origin }) => ({
    ...buildTitle(t, 'confirm_email.subject'),
    paragraphs: [t('confirm_email.text')],
    action: buildAction(t('confirm_email.action'), `${origin}/account_confirmation?key=`, data.key),
    facts: [],
    notes: [t('layout.once', { count: EMAIL_KEY_HOURS.confirm }), t('confirm_email.ignore')],
  }),
  password_reset: ({ t, data, origin }) => ({
    ...buildTitle(t, 'password_reset.subject'),
    paragraphs: [t('password_reset.text')],
    action: buildAction(t('password_reset.action'), `${origin}/login?view=reset_password&key=`, data.key),
    facts: [],
    notes: [t('layout.once', { count: EMAIL_KEY_HOURS.reset }), t('password_reset.ignore')],
  }),
  password_changed: (input) => ({
    ...buildTitle(input.t, 'password_changed.subject'),
    paragraphs: [input.t('password_changed.text')],
    action: passwordResetAction(input),
    facts: presentTimeAndPlace(input, input.data),
    notes: [input.t('password_changed.ignore')],
  }),
  change_email: ({ t, data, origin }) => ({
    ...buildTitle(t, 'change_email.subject'),
    paragraphs: [t(data.by === 'support' ? 'change_email.bySupport' : 'change_email.text')],
    action: buildAction(t('change_email.action'), `${origin}/account_email_update_complete?key=`, data.key),
    facts: [],
    notes: [t('layout.once', { count: EMAIL_KEY_HOURS.change }), t('change_email.ignore')],
  }),
  change_notice: (input) => ({
    ...buildTitle(input.t, 'change_notice.subject'),
    paragraphs: [input.t(input.data.by === 'support' ? 'change_notice.bySupport' : 'change_notice.text')],
    action: buildAction(
      input.t('change_notice.action'),
      `${input.origin}/mail/keep-address/?language=${input.language}&key=`,
      input.data.key,
    ),
    facts: presentTimeAndPlace(input, input.data),
    notes: [input.t('change_notice.ignore')],
  }),
  new_sign_in: (input) => ({
    ...buildTitle(input.t, 'new_sign_in.subject'),
    paragraphs: [input.t('new_sign_in.text')],
    action: { label: input.t('new_sign_in.action'), url: `${input.origin}/account/security` },
    facts: [...presentTimeAndPlace(input, input.data), ...presentBrowser(input)],
    notes: [input.t('new_sign_in.ignore')],
  }),
  data_ready: (input) => ({
    ...buildTitle(input.t, 'data_ready.subject'),
    paragraphs: [input.t('data_ready.text')],
    action: { label: input.t('data_ready.action'), url: `${input.origin}/account/security` },
    facts: [{ label: input.t('data_ready.until'), value: presentTimeAndPlace(input, input.data)[0]?.value ?? '' }],
    notes: [input.t('data_ready.ignore')],
  }),
  invitation: ({ t, data: { inviter = '', key }, origin }) => ({
    ...buildTitle(t, 'invitation.subject', { inviter }),
    paragraphs: [t('invitation.text')],
    action: buildAction(t('invitation.action'), `${origin}/login?view=reset_password&key=`, key),
    facts: [],
    notes: [t('layout.onceDays', { count: EMAIL_KEY_HOURS.invitation / HOURS_A_DAY }), t('invitation.ignore', { inviter })],
  }),
  staff_invitation: ({ t, data: { inviter = '', key }, origin }) => ({
    ...buildTitle(t, 'staff_invitation.subject'),
    paragraphs: [t('staff_invitation.text', { inviter })],
    action: buildAction(t('staff_invitation.action'), `${origin}${STAFF_INVITATION_PATH}?key=`, key),
    facts: [],
    notes: [t('layout.onceDays', { count: STAFF_INVITATION_DAYS })],
  }),
  place_alert: (input) => ({
    ...buildTitle(
      input.t,
      input.data.type === 'place_leave' ? 'place_alert.place_leave' : 'place_alert.place_enter',
      pickOwnedNames(input),
    ),
    paragraphs: [],
    ...presentMap(input),
    facts: presentTimeAndPlace(input, input.data),
    notes: [input.t('layout.contact')],
  }),
  vehicle_alert: (input) => ({
    ...buildTitle(input.t, 'vehicle_alert.subject', pickOwnedNames(input)),
    paragraphs: [input.t('vehicle_alert.text')],
    ...presentMap(input),
    facts: presentTimeAndPlace(input, input.data),
    notes: [input.t('layout.contact')],
  }),
  rule_alert: (input) => {
    const { type } = input.data
    const rule = parseRule(input.data.rule)
    const { tracker = '', place = '' } = pickOwnedNames(input)
    const { other = '', distance } = input.data
    const locale = formatLocale(input.language)
    const kind = RULE_KINDS.find((known) => known === type) ?? 'silent'
    return {
      ...buildTitle(
        input.t,
        `rule_alert.${kind}`,
        { tracker, other, place },
        { distance: formatMeters(locale, Number(distance ?? 0)), ...formatRuleValues(rule, locale) },
      ),
      paragraphs: input.data.lat !== undefined && !SHOWS_OWN_POSITION.some((kind) => kind === type) ? [input.t('rule_alert.last')] : [],
      ...presentMap(input),
      facts: presentTimeAndPlace(input, input.data),
      notes: [input.t('layout.contact')],
    }
  },
  allow_alerts: ({ t, data: { owner = '' }, allowUrl }) => ({
    ...buildTitle(t, 'allow_alerts.subject', { owner }),
    paragraphs: [t('allow_alerts.text', { owner })],
    action: allowUrl === undefined ? undefined : { label: t('allow_alerts.action'), url: allowUrl },
    facts: [],
    notes: [t('allow_alerts.ignore')],
  }),
  ask_alerts: ({ t, data: { owner = '' }, allowUrl }) => ({
    ...buildTitle(t, 'ask_alerts.subject', { owner }),
    paragraphs: [t('ask_alerts.text', { owner })],
    action: allowUrl === undefined ? undefined : { label: t('ask_alerts.action'), url: allowUrl },
    facts: [],
    notes: [t('allow_alerts.ignore')],
  }),
  low_battery: (input) => ({
    ...buildTitle(input.t, 'low_battery.subject', pickOwnedNames(input)),
    paragraphs: [input.t('low_battery.text')],
    action: buildAction(input.t('low_battery.action'), `${input.origin}/trackers/`, input.data.device),
    facts: presentTimeAndPlace(input, input.data),
    notes: input.data.owner ? [input.t('layout.contact')] : [],
  }),
  held_alerts: (input) => {
    const { t, data, origin } = input
    const items = parseItems<HeldItem>(data.items)
    const count = Number(data.count) || items.length
    const subject = t('held_alerts.subject', { count })
    return {
      subject,
      heading: subject,
      paragraphs: [t('held_alerts.text')],
      action: { label: t('held_alerts.action'), url: `${origin}/alerts/fired` },
      facts: items.map((item) => ({ label: formatMoment(input, item.at), value: describeHeld(input, item) })),
      notes: count > items.length ? [t('held_alerts.more', { count: count - items.length })] : [],
    }
  },
  ...billingLetters,
  network_lost: (input) => ({
    ...buildTitle(input.t, 'network_lost.subject', pickNames(input.data)),
    paragraphs: [input.t('network_lost.text', { days: NETWORK_SILENCE_DAYS })],
    action: buildAction(input.t('network_lost.action'), `${input.origin}/network_activate?id=`, input.data.device),
    facts: presentTimeAndPlace(input, input.data),
    notes: [],
  }),
  channel_limit: ({ t, data: { limit = '' }, origin }) => ({
    ...buildTitle(t, 'channel_limit.subject'),
    paragraphs: [t('channel_limit.text', { limit })],
    action: { label: t('channel_limit.action'), url: `${origin}/account/preferences` },
    facts: [],
    notes: [],
  }),
  channel_stopped: ({ t, data: { label = '', reason }, origin }) => ({
    ...buildTitle(t, 'channel_stopped.subject', { label }),
    paragraphs: [t(reason === 'gone' ? 'channel_stopped.gone' : 'channel_stopped.failing', { label, days: FAILING_DAYS })],
    action: { label: t('channel_stopped.action'), url: `${origin}/account/preferences` },
    facts: [],
    notes: [],
  }),
  tracker_removed: ({ t, data: { tracker = '', identifier = '' }, origin }) => ({
    ...buildTitle(t, 'tracker_removed.subject'),
    paragraphs: [t('tracker_removed.text', { tracker, identifier })],
    action: { label: t('tracker_removed.action'), url: `${origin}/contact_us` },
    facts: [],
    notes: [t('tracker_removed.ignore')],
  }),
  unlink_accepted: ({ t, data: { reference = '', identifier = '' }, origin }) => ({
    ...buildTitle(t, 'unlink_accepted.subject'),
    paragraphs: [t('unlink_accepted.text', { identifier })],
    action: { label: t('unlink_accepted.action'), url: `${origin}/trackers/add` },
    facts: [{ label: t('unlink_accepted.reference'), value: reference }],
    notes: [],
  }),
  unlink_refused: ({ t, data: { reference = '', identifier = '', reason = '' }, origin }) => ({
    ...buildTitle(t, 'unlink_refused.subject'),
    paragraphs: [t('unlink_refused.text', { identifier }), reason],
    action: { label: t('unlink_refused.action'), url: `${origin}/contact_us` },
    facts: [{ label: t('unlink_refused.reference'), value: reference }],
    notes: [],
  }),
  announcement: ({ t, data: { text = '' }, origin }) => ({
    ...buildTitle(t, 'announcement.subject'),
    paragraphs: [text],
    action: { label: t('announcement.action'), url: `${origin}/` },
    facts: [],
    notes: [],
  }),
  subscription_code: ({ t, data, origin }) => ({
    ...buildTitle(t, 'subscription_code.subject'),
    paragraphs: [t('subscription_code.text'), t('subscription_code.covers', { count: Number(data.months) + Number(data.extra ?? 0) })],
    code: data.code ?? '',
    action: buildAction(t('subscription_code.action'), `${origin}/link_subscription?code=`, data.code),
    facts: [],
    notes: [],
  }),
}

/** Mails of an unknown template, such as one of an older release, have a generic text. */
export function buildLetter(template: string, input: Omit<LetterInput<never>, 't' | 'data'> & { data: Record<string, string> }): Letter {
  const write = Object.hasOwn(letters, template) ? letters[template as MailTemplate] : undefined
  if (!write) return { subject: template, heading: template, paragraphs: [], facts: [], notes: [] }
  return write({ ...input, t: createTranslate(input.language), data: stripControlCharacters(input.data) })
}

function describeHeld({ t, language, data: { owner } }: LetterInput<'held_alerts'>, { kind, tracker, place, rule, ...pair }: HeldItem) {
  const names = pickOwnedNames({ t, data: { tracker, ...(place && { place }), ...(owner && { owner }) } })
  return alertTitle(language, { kind, tracker: names.tracker, place: names.place, rule, ...pair })
}

/** Kinds that fire with a position; the mails of others show the last known one. */
const SHOWS_OWN_POSITION = ['moved', 'speed', 'stands', 'apart', 'together'] as const

/** Mails of another release may contain something else. */
function parseRule(text: string | undefined): AlertRule | null {
  try {
    return z.safeParse(FiredRule, JSON.parse(text ?? 'null')).data ?? null
  } catch {
    return null
  }
}

const presentBrowser = ({ t, data: { agent, place } }: LetterInput<'new_sign_in'>) => [
  ...(agent ? [{ label: t('new_sign_in.browser'), value: agent }] : []),
  ...(place ? [{ label: t('new_sign_in.network'), value: place }] : []),
]

type AlertInput = Recipient & {
  data: { tracker?: string; place?: string; owner?: string; lat?: string; device?: string }
  origin: string
}

/** In mails to others the tracker is named together with its owner. */
const pickOwnedNames = ({ t, data }: Pick<AlertInput, 't' | 'data'>) => {
  const { tracker = '', owner } = data
  return { ...pickNames(data), ...(owner && { tracker: t('layout.owned', { tracker, owner }) }) }
}

const presentMap = ({ t, data: { tracker = '', lat, device }, origin }: AlertInput) => ({
  map: lat === undefined ? undefined : t('layout.mapOf', { tracker }),
  // A public link would show others more than this one place, so only the owner gets a button.
  action: buildAction(t('layout.openMap'), `${origin}/trackers/`, device),
})

/** A note for recipients who did not request the mail. */
const passwordResetAction = ({ t, origin }: Pick<LetterInput<never>, 't' | 'origin'>) => ({
  label: t('password_reset.action'),
  url: `${origin}/login?view=reset_password`,
})
