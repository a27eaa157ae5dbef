import { WITHDRAWAL_OUTCOMES } from '#contracts/billing/withdrawal.ts'
import type { Language } from '#contracts/lib/languages.ts'
import { formatPrice } from '#contracts/rules/price.ts'
import type { PriceChangeItem, PriceStaysItem, ReminderItem } from '#server/outbox/outbox.store.ts'
import {
  buildAction,
  buildTitle,
  formatDay,
  type Letter,
  type LetterInput,
  parseItems,
  pickNames,
  presentTimeAndPlace,
  type Recipient,
} from './letter-parts.ts'

/** Mails about payments and invoices. */
export const billingLetters = {
  receipt: (input: LetterInput<'receipt'>): Letter => {
    const { t, data, origin } = input
    const { tracker = '', device, number = '' } = data
    return {
      ...buildTitle(t, 'receipt.subject', { number }),
      paragraphs: [t('receipt.text')],
      action:
        buildAction(t('receipt.show', { tracker }), `${origin}/trackers/`, device) ??
        buildAction(t('receipt.invoices'), `${origin}/`, 'invoices'),
      facts: [
        { label: t('receipt.invoice'), value: number },
        ...(tracker ? [{ label: t('receipt.for'), value: tracker }] : []),
        ...presentAmount(input),
        ...presentTimeAndPlace(input, data),
      ],
      notes: [],
    }
  },
  refunded: (input: LetterInput<'refunded'>): Letter => {
    const { t, data, origin } = input
    const { number = '', invoice_number: invoice = '', ended, dispute } = data
    return {
      ...buildTitle(t, 'refunded.subject', { invoice }),
      paragraphs: [t(dispute ? 'refunded.dispute' : 'refunded.text'), ...(ended ? [t('refunded.ended')] : [])],
      action: { label: t('receipt.invoices'), url: `${origin}/invoices` },
      facts: [
        { label: t('refunded.creditNote'), value: number },
        { label: t('receipt.invoice'), value: invoice },
        ...presentAmount(input),
        ...presentTimeAndPlace(input, data),
      ],
      notes: [],
    }
  },
  withdrawal: (input: LetterInput<'withdrawal'>): Letter => {
    const { t, data, origin } = input
    const { reference = '', email = '', name, outcome = '' } = data
    const known = WITHDRAWAL_OUTCOMES.find((each) => each === outcome) ?? 'unknown'
    return {
      ...buildTitle(t, 'withdrawal.subject', { reference }),
      paragraphs: [t('withdrawal.text'), t(`withdrawal.${known}`)],
      action: { label: t('withdrawal.action'), url: `${origin}/contact_us` },
      facts: [
        { label: t('withdrawal.contract'), value: reference },
        ...(name ? [{ label: t('withdrawal.name'), value: name }] : []),
        { label: t('withdrawal.email'), value: email },
        ...presentTimeAndPlace(input, data),
      ],
      notes: [],
    }
  },
  order_shipped: (input: LetterInput<'order_shipped'>): Letter => {
    const { t, data, origin } = input
    const { order = '', contents = '', carrier = '', tracking } = data
    return {
      ...buildTitle(t, 'order_shipped.subject', { order }),
      paragraphs: [t('order_shipped.text', { carrier })],
      action: buildAction(t('order_shipped.action'), `${origin}/orders/`, order),
      facts: [
        { label: t('order_shipped.contents'), value: contents },
        { label: t('order_shipped.carrier'), value: carrier },
        ...(tracking ? [{ label: t('order_shipped.tracking'), value: tracking }] : []),
        ...presentTimeAndPlace(input, data),
      ],
      notes: [],
    }
  },
  care_claim: (input: LetterInput<'care_claim'>): Letter => ({
    ...buildTitle(input.t, 'care_claim.subject', pickNames(input.data)),
    paragraphs: [input.t('care_claim.text')],
    action: {
      label: input.t('care_claim.action'),
      url: `${input.origin}/trackers/${encodeURIComponent(input.data.device ?? '')}/settings`,
    },
    facts: presentTimeAndPlace(input, input.data),
    notes: [],
  }),
  subscription_reminder: (input: LetterInput<'subscription_reminder'>): Letter => {
    const { t, data, origin } = input
    const items = parseItems<ReminderItem>(data.items)
    const ending = items.filter(({ isRenewed }) => !isRenewed)
    const [only] = items
    const kind = items.length > 1 ? 'Several' : only?.isRenewed ? 'Renew' : only?.isResting ? 'Rest' : 'End'
    const names = { tracker: only?.tracker ?? '', date: only ? formatDay(input, only.at) : '' }
    return {
      ...buildTitle(t, `subscription_reminder.subject${kind}`, items.length > 1 ? {} : names),
      paragraphs: [t(`subscription_reminder.text${kind}`)],
      action:
        ending.length > 0
          ? {
              label: t(ending.every(({ isResting }) => isResting) ? 'subscription_ended.action' : 'subscription_reminder.extend'),
              url: `${origin}/subscription?devices=${ending.map(({ device }) => device).join(',')}`,
            }
          : { label: t('subscription_reminder.see'), url: `${origin}/subscriptionSelector` },
      facts: items.map((item) => presentReminder(input, item)),
      notes: [],
    }
  },
  subscription_ended: (input: LetterInput<'subscription_ended'>): Letter => ({
    ...buildTitle(input.t, 'subscription_ended.subject', pickNames(input.data)),
    paragraphs: [
      input.t('subscription_ended.text'),
      ...(input.data.rests ? [input.t('subscription_ended.grace', { date: formatDay(input, input.data.rests) })] : []),
    ],
    action: { label: input.t('subscription_ended.action'), url: `${input.origin}/subscription?devices=${input.data.device ?? ''}` },
    facts: presentTimeAndPlace(input, input.data),
    notes: [],
  }),
  price_change: (input: LetterInput<'price_change'>): Letter => {
    const { t, data, origin } = input
    const { price = '', currency = '', datetime = '' } = data
    const date = formatDay(input, datetime)
    const write = (amount: number) => formatAmount(input.language, String(amount), currency) ?? ''
    const facts = parseItems<PriceChangeItem>(data.items).flatMap(({ tracker, former, amount }) => [
      { label: t('price_change.tracker'), value: tracker },
      { label: t('price_change.former'), value: write(former) },
      { label: t('price_change.amount'), value: write(amount) },
    ])
    return {
      ...buildTitle(t, 'price_change.subject', { price, date }),
      paragraphs: [t('price_change.text', { date }), t('price_change.end')],
      action: { label: t('price_change.action'), url: `${origin}/subscriptionSelector` },
      facts: [...facts, { label: t('price_change.from'), value: date }],
      notes: [],
    }
  },
  price_stays: (input: LetterInput<'price_stays'>): Letter => {
    const { t, data, origin } = input
    const { price = '', currency = '', amount = '', datetime = '' } = data
    const write = (minorUnits: string) => formatAmount(input.language, minorUnits, currency) ?? ''
    const facts = parseItems<PriceStaysItem>(data.items).flatMap((item) => [
      { label: t('price_change.tracker'), value: item.tracker },
      { label: t('price_stays.amount'), value: write(String(item.amount)) },
    ])
    return {
      ...buildTitle(t, 'price_stays.subject', { price }),
      paragraphs: [t('price_stays.text', { amount: write(amount), date: formatDay(input, datetime) }), t('price_stays.resume')],
      action: { label: t('price_stays.action'), url: `${origin}/subscriptionSelector` },
      facts,
      notes: [],
    }
  },
  months_given: (input: LetterInput<'months_given'>): Letter => ({
    ...buildTitle(input.t, 'months_given.subject', pickNames(input.data)),
    paragraphs: [input.t('months_given.text', { months: input.data.months ?? '' }), ...presentEnd(input)],
    action: buildAction(input.t('plan_moved.action'), `${input.origin}/trackers/`, input.data.device),
    facts: [],
    notes: [],
  }),
  plan_moved: (input: LetterInput<'plan_moved'>): Letter => {
    const { from = '', to = '', device } = input.data
    return {
      ...buildTitle(input.t, 'plan_moved.subject', { from, to }),
      paragraphs: [input.t('plan_moved.text', { from, to }), ...presentEnd(input)],
      action: buildAction(input.t('plan_moved.action'), `${input.origin}/trackers/`, device),
      facts: [],
      notes: [input.t('plan_moved.ignore')],
    }
  },
  plan_move_refused: ({
    t,
    data: { reference = '', from = '', to = '', reason = '' },
    origin,
  }: LetterInput<'plan_move_refused'>): Letter => ({
    ...buildTitle(t, 'plan_move_refused.subject'),
    paragraphs: [t('plan_move_refused.text', { from, to }), reason],
    action: { label: t('plan_move_refused.action'), url: `${origin}/contact_us` },
    facts: [{ label: t('plan_move_refused.reference'), value: reference }],
    notes: [],
  }),
  plan_paused: (input: LetterInput<'plan_paused'>): Letter => {
    const { tracker = '', device, until } = input.data
    const date = until ? formatDay(input, until) : ''
    return {
      ...buildTitle(input.t, 'plan_paused.subject', { tracker, date }),
      paragraphs: [input.t('plan_paused.text', { tracker, date }), input.t('plan_paused.money'), ...presentEnd(input)],
      action: buildAction(input.t('plan_paused.action'), `${input.origin}/subscription?devices=`, device),
      facts: [],
      notes: [input.t('plan_moved.ignore')],
    }
  },
  plan_resumed: (input: LetterInput<'plan_resumed'>): Letter => {
    const { tracker = '', device } = input.data
    return {
      ...buildTitle(input.t, 'plan_resumed.subject', { tracker }),
      paragraphs: [input.t('plan_resumed.text', { tracker }), ...presentEnd(input)],
      action: buildAction(input.t('plan_moved.action'), `${input.origin}/trackers/`, device),
      facts: [],
      notes: [],
    }
  },
  plan_pause_refused: ({ t, data: { reference = '', tracker = '', reason = '' }, origin }: LetterInput<'plan_pause_refused'>): Letter => ({
    ...buildTitle(t, 'plan_pause_refused.subject'),
    paragraphs: [t('plan_pause_refused.text', { tracker }), reason],
    action: { label: t('plan_move_refused.action'), url: `${origin}/contact_us` },
    facts: [{ label: t('plan_move_refused.reference'), value: reference }],
    notes: [],
  }),
  payment_failed: (input: LetterInput<'payment_failed'>): Letter => ({
    ...buildTitle(input.t, 'payment_failed.subject'),
    paragraphs: [input.t('payment_failed.text')],
    action: { label: input.t('payment_failed.action'), url: `${input.origin}/invoices` },
    facts: [...presentAmount(input), ...presentTimeAndPlace(input, input.data)],
    notes: [],
  }),
}

function presentReminder(input: Recipient, { tracker, at, isRenewed, isResting, amount, currency }: ReminderItem) {
  const date = formatDay(input, at)
  if (isResting) return { label: tracker, value: input.t('subscription_reminder.rests', { date }) }
  const price = isRenewed ? formatAmount(input.language, amount, currency) : undefined
  if (price !== undefined) return { label: tracker, value: input.t('subscription_reminder.renewsFor', { date, amount: price }) }
  return { label: tracker, value: input.t(isRenewed ? 'subscription_reminder.renews' : 'subscription_reminder.ends', { date }) }
}

/** The amount in the recipient's format; empty when the data is not an amount. */
function presentAmount({ t, language, data: { amount, currency } }: Recipient & { data: { amount?: string; currency?: string } }) {
  const value = formatAmount(language, amount, currency)
  return value === undefined ? [] : [{ label: t('payment_failed.amount'), value }]
}

function formatAmount(language: Language, amount = '', currency = '') {
  return /^[a-z]{3}$/.test(currency) && /^\d+$/.test(amount) ? formatPrice(Number(amount), currency, language) : undefined
}

/** Until when a subscription runs. */
const presentEnd = (input: Recipient & { data: { datetime?: string } }) =>
  input.data.datetime ? [input.t('months_given.until', { date: formatDay(input, input.data.datetime) })] : []
