import type { Db } from '#db/db.ts'

/** Why a call was rejected. */
export const REFUSAL_REASONS = [
  ...(['session', 'sign_in', 'old_sign_in', 'permission', 'csrf'] as const),
  ...(['device_key', 'link', 'mail_key', 'expired', 'signature', 'limit', 'input'] as const),
] as const

/**
 * The counters for the operator, by name, label and the values that a label may have. Values never come from a request, so their number is
 * bounded and none is about a person.
 */
export const COUNTERS = {
  device_messages_total: {
    help: 'Messages of trackers, by what became of them',
    labels: { outcome: ['accepted', 'invalid_key', 'unknown_tracker', 'invalid', 'throttled', 'unavailable', 'failed'] },
  },
  positions_total: {
    help: 'Positions in messages of trackers: stored, known already, or refused for their time',
    labels: { outcome: ['accepted', 'known', 'in_the_future', 'too_old', 'throttled'] },
  },
  positions_left_out_total: {
    help: 'Stored positions that are left out of a day when they come, by what looks wrong',
    labels: { reason: ['zero', 'vague', 'stale', 'jump', 'run'] },
  },
  positions_packed_total: { help: 'Positions of ended months that were packed', labels: {} },
  pushes_total: {
    help: 'Notifications to browsers: taken by the push service, tried again later, or given up',
    labels: { outcome: ['sent', 'failed', 'gone', 'refused', 'expired'] },
  },
  channel_deliveries_total: {
    help: 'Attempts to send to webhooks, Telegram and ntfy: accepted, or not',
    labels: { outcome: ['sent', 'failed'] },
  },
  webhooks_total: {
    help: 'Webhooks of Stripe: new, seen before, refused for their signature, or not stored',
    labels: { outcome: ['received', 'repeated', 'refused', 'failed'] },
  },
  payment_events_handled_total: { help: 'Events of Stripe whose customer was read and stored', labels: {} },
  job_failures_total: {
    help: 'Runs of background work that failed, by job',
    // Not `job`, which Prometheus itself adds to scraped metrics.
    labels: {
      work: [
        ...['boost_end', 'link_end', 'quiet_end', 'rule_due', 'subscription_reminder', 'subscription_end', 'network_silence', 'mark_again'],
        ...[
          'summarize_days',
          'learn_normals',
          'remove_old_positions',
          'data_copy',
          'clean_up',
          'announcement_mail',
          'price_start',
          'price_notice',
          'price_recall',
          'pause_end',
        ],
        ...[
          'mail',
          'push',
          'channels',
          'payments',
          'payment_sync',
          'payment_task',
          'downlinks',
          'addresses',
          'live_log',
          'endings',
          'database_upkeep',
          'pack_positions',
          'remove_months',
          'other',
        ],
      ],
    },
  },
  sign_ins_total: {
    help: 'Sign-ins: opened a session, asked for the second factor, or refused',
    labels: { outcome: ['accepted', 'second_factor', 'wrong_password', 'wrong_code', 'expired', 'throttled', 'failed'] },
  },
  calls_refused_total: { help: 'Calls that were refused, by reason', labels: { reason: REFUSAL_REASONS } },
} as const satisfies Record<string, { help: string; labels: Record<string, readonly string[]> }>

export type CounterName = keyof typeof COUNTERS
type Labels<N extends CounterName> = {
  [L in keyof (typeof COUNTERS)[N]['labels']]: (typeof COUNTERS)[N]['labels'][L] extends readonly (infer V)[] ? V : never
}

const counts = new WeakMap<Db, Map<string, number>>()

/** Adds to a counter of a world, which is identified by its database. */
export function count<N extends CounterName>(db: Db, name: N, labels: Labels<N>, by = 1) {
  const ofDb = counts.get(db) ?? new Map<string, number>()
  counts.set(db, ofDb)
  const key = keyOf(name, labels)
  ofDb.set(key, (ofDb.get(key) ?? 0) + by)
}

/** Every combination of labels of a counter with its count, initially 0, so that a rate starts there. */
export function listCounts(db: Db, name: CounterName): { labels: Record<string, string>; value: number }[] {
  const [entry] = Object.entries<readonly string[]>(COUNTERS[name].labels)
  const combinations = entry ? entry[1].map((value) => ({ [entry[0]]: value })) : [{}]
  return combinations.map((labels) => ({ labels, value: counts.get(db)?.get(keyOf(name, labels)) ?? 0 }))
}

const keyOf = (name: string, labels: object) => `${name} ${Object.values(labels).join(' ')}`

/** The name of a job as used by the counter. */
export const nameJob = (name: string) => COUNTERS.job_failures_total.labels.work.find((job) => job === name) ?? 'other'
