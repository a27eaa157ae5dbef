import type { ChannelKind, DELIVERY_TYPES, DeliveryFailure, STOP_REASONS } from '#contracts/accounts/channels.ts'
import type { PushedAlert } from '#contracts/accounts/push.ts'
import type { AlertRule } from '#contracts/alerts.ts'
import type { FiringKind } from '#contracts/firings.ts'
import type { Language } from '#contracts/lib/languages.ts'
import type { Kind } from '#contracts/rules/tracking/tracker.ts'
import { tokens, users } from './accounts.ts'
import { bool, index, instant, int, json, pk, primaryKey, str, table } from './columns.ts'
import { devices } from './devices.ts'

/** `reason`: code of the failure; `host`: the mail server; `message`: its response, without addresses. */
export type MailFailure = { reason: string; host: string; message: string }

/** The outbox: written in the transaction of the change that causes the mail, sent by a dispatcher when SMTP is set. */
export const emails = table(
  'emails',
  {
    id: pk(),
    /** The user whose account the mail is about. The mail is deleted with this account, even if its recipient is somebody else. */
    userId: int().references(() => users.id, { onDelete: 'cascade' }),
    to: str().notNull(),
    template: str().notNull(),
    language: str<Language>().notNull(),
    /** IANA time zone of the recipient; null means UTC. */
    timeZone: str(),
    data: json<Record<string, string>>().notNull(),
    createdAt: instant().notNull(),
    sentAt: instant(),
    attempts: int().notNull().default(0),
    /** While a server sends the mail: the end of its lease. */
    nextAttemptAt: instant(),
    /** Time of the final failure; then only the operator can have it sent again. */
    givenUpAt: instant(),
    /** Reason of the last failure. */
    failure: json<MailFailure>(),
  },
  (t) => [index('emails_by_recipient').on(t.to), index('emails_by_user').on(t.userId), index('emails_unsent').on(t.sentAt)],
)

/** Browsers that get notifications. Each belongs to a session and ends with it. */
export const pushBrowsers = table(
  'push_browsers',
  {
    id: pk(),
    userId: int()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    session: str()
      .notNull()
      .unique()
      .references(() => tokens.hash, { onDelete: 'cascade' }),
    endpoint: str().notNull().unique(),
    /** The public key of the browser and the secret that it shares with this server, both in base64url. */
    p256dh: str().notNull(),
    auth: str().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [index('push_browsers_by_user').on(t.userId)],
)

/** Pending notifications, written in the transaction that causes them and deleted once sent. */
export const pushes = table(
  'pushes',
  {
    id: pk(),
    browserId: int()
      .notNull()
      .references(() => pushBrowsers.id, { onDelete: 'cascade' }),
    title: str().notNull(),
    body: str().notNull(),
    /** Path of the page that opens on a click. */
    url: str().notNull(),
    /** Null unless it is about one alert. */
    alert: json<PushedAlert & { spot?: PushSpot }>(),
    isUrgent: bool().notNull(),
    createdAt: instant().notNull(),
    attempts: int().notNull().default(0),
    nextAttemptAt: instant(),
  },
  (t) => [index('pushes_by_browser').on(t.browserId)],
)

/** Where an alert fired, for the map in its notification. */
export type PushSpot = { lat: number; lng: number; precision: number; kind: Kind; accountId: number }

/** What became of notifications, whose own rows are deleted once sent. */
export const pushResults = table(
  'push_results',
  { pushId: int().primaryKey(), outcome: str<PushOutcome>().notNull(), at: instant().notNull() },
  (t) => [index('push_results_by_time').on(t.at)],
)
/** `gone`: the push service no longer knows the browser; `refused`: it rejects the message; `expired`: it was not sent in time. */
export type PushOutcome = 'sent' | 'gone' | 'refused' | 'expired'

/** Where alerts of a user are sent besides mails and browsers. */
export const channels = table(
  'channels',
  {
    id: pk(),
    userId: int()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: str<ChannelKind>().notNull(),
    label: str().notNull(),
    /** Address of a webhook or of an ntfy topic; for Telegram the chat. */
    target: str().notNull(),
    /** Encrypted: what signs a webhook, the token of a bot, or the access token of a topic; null without one. */
    secret: str(),
    createdAt: instant().notNull(),
    /** SHA-256 of the code that was sent, until it is typed. */
    codeHash: str(),
    codeAt: instant(),
    codeTries: int().notNull().default(0),
    verifiedAt: instant(),
    stoppedAt: instant(),
    stopReason: str<(typeof STOP_REASONS)[number]>(),
    /** The last delivery that ended. */
    lastAt: instant(),
    lastFailure: json<DeliveryFailure>(),
    failingSince: instant(),
    /** False if it names trackers, also when all of them were removed. */
    isForAllDevices: bool().notNull().default(true),
    /** The kinds of alerts that it gets; null for all. */
    kinds: json<FiringKind[]>(),
  },
  (t) => [index('channels_by_user').on(t.userId)],
)

/** The trackers of a channel that names some. */
export const channelDevices = table(
  'channel_devices',
  {
    channelId: int()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.deviceId] }), index('channel_devices_by_device').on(t.deviceId)],
)

/** What is sent: a code, a test, or what happened to a tracker, with the names at that time. */
export type DeliveryContent =
  | { type: 'code'; code: string }
  | { type: 'test' }
  | {
      type: 'alert'
      kind: FiringKind
      rule?: AlertRule
      device: { id: number; name: string }
      /** The other tracker of a rule about two, and how many metres they were from each other. */
      other?: { id: number; name: string }
      distance?: number
      place: { id: number; name: string } | null
      at: string
      position: { lat: number; lng: number; precision: number } | null
      address: string | null
    }

/** The outbox of channels, written in the transaction that causes a delivery. Those that have ended stay for 90 days. */
export const channelDeliveries = table(
  'channel_deliveries',
  {
    id: pk(),
    channelId: int()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    type: str<(typeof DELIVERY_TYPES)[number]>().notNull(),
    content: json<DeliveryContent>().notNull(),
    isUrgent: bool().notNull(),
    createdAt: instant().notNull(),
    attempts: int().notNull().default(0),
    /** While a server sends it: the end of its lease. */
    nextAttemptAt: instant().notNull(),
    /** When it arrived or was given up. */
    endedAt: instant(),
    /** Of the last attempt; null if it succeeded, or before the first. */
    failure: json<DeliveryFailure>(),
  },
  (t) => [
    index('channel_deliveries_by_channel').on(t.channelId, t.id),
    index('channel_deliveries_by_time').on(t.channelId, t.createdAt),
    index('channel_deliveries_due').on(t.endedAt, t.nextAttemptAt),
  ],
)
