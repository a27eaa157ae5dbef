/**
 * Tests that do not run on PostgreSQL each time, because the other tests of the project `postgres` send all statements of the product that
 * these send, and because none of these lets requests race (decision 116). POSTGRES_TESTS=all runs them as well, as CI does.
 */
export const ENGINE_INDEPENDENT = [
  // How messages, files and uplinks are read. `networks`, `import` and `ingest` write the same rows.
  'server/tracking/all-protocols.test.ts',
  'server/tracking/protocols/apps.test.ts',
  'server/tracking/protocols/devices-doc.test.ts',
  'server/tracking/networks/docs.test.ts',
  'server/tracking/import/docs.test.ts',
  'server/tracking/import/field-files.test.ts',
  'server/tracking/import/hostile.test.ts',
  'server/tracking/ingest/ingest.motion.test.ts',
  'server/tracking/ingest/presses.test.ts',
  'server/tracking/ingest/report-limit.test.ts',
  'server/places/import-csv.test.ts',
  // What is computed, drawn or mailed from rows that others read.
  'server/tracking/days/borders.test.ts',
  'server/tracking/days/ways.test.ts',
  'server/tracking/history/csv.test.ts',
  'server/tracking/history/change-marks.test.ts',
  'server/theft/theft.handlers.test.ts',
  'server/theft/theft.present.test.ts',
  'server/links/shared.test.ts',
  'server/photos/photos.test.ts',
  'server/mail/mail-dispatch.test.ts',
  'server/mail/mail-smtp.test.ts',
  'server/contacts/mail-stop-pages.test.ts',
  'server/jobs/subscription-reminder.test.ts',
  // Hundreds of sign-ins, and rules of sessions, by the statements of `sessions.handlers` and `factor-sign-in.handlers`.
  'server/accounts/sessions/cookies.test.ts',
  'server/accounts/sessions/recent-sign-in.test.ts',
  'server/accounts/sessions/sign-in.test.ts',
  'server/accounts/team/team.handlers.test.ts',
  'server/accounts/users/spellings.test.ts',
  'server/accounts/users/users.handlers.test.ts',
  'server/security/open-sessions.test.ts',
  'server/security/refusals.test.ts',
  // What Stripe says and how it is shown; `storm`, `purchase` and `pay-invoice` write the same rows.
  'server/billing/access/answer-in-time.test.ts',
  'server/billing/invoices/invoices.handlers.test.ts',
  'server/billing/invoices/tax.test.ts',
  'server/billing/orders/orders.handlers.test.ts',
  'server/billing/subscriptions/checkout.test.ts',
  'server/billing/subscriptions/provider-down.test.ts',
  'server/billing/subscriptions/subscription-list.test.ts',
  'server/billing/sync/receipts.test.ts',
  'server/billing/sync/safety.test.ts',
  'server/billing/sync/sync-catalogue.test.ts',
  'server/billing/sync/year.test.ts',
  // Settings of trackers, by the statements of `device-list` and `network`.
  'server/trackers/activation.test.ts',
  'server/trackers/devices.handlers.test.ts',
  'server/trackers/keys/device-keys.production.test.ts',
  'server/trackers/sct2/sct2.handlers.test.ts',
  'server/trackers/settings/change-tracker.test.ts',
  'server/trackers/settings/mode.test.ts',
  // Sweeps over requests that are refused, mostly before a statement. `answers.sweep` sends every call with success.
  'server/test/sweeps/access.sweep.test.ts',
  'server/test/sweeps/api-tokens.sweep.test.ts',
  'server/test/sweeps/body-ids.sweep.test.ts',
  'server/test/sweeps/costly.sweep.test.ts',
  'server/test/sweeps/names.sweep.test.ts',
  'server/test/sweeps/redirects.sweep.test.ts',
  'server/test/sweeps/requests.sweep.test.ts',
  'server/test/sweeps/scope.sweep.test.ts',
  'server/test/sweeps/security.sweep.test.ts',
]

/**
 * Tests that run on the oldest version of PostgreSQL in CI only: they vary processes, networks, hosts or addresses, and send the statements
 * that the project `postgres` sends to the newest.
 */
export const VERSION_INDEPENDENT = [
  'db/open/move/move.test.ts',
  'db/open/programs.test.ts',
  'db/postgres/connection.test.ts',
  'db/postgres/distributed/distribute.test.ts',
  'db/postgres/hosts/hosts.test.ts',
  'db/postgres/packed/killed.test.ts',
  'db/postgres/probe.test.ts',
  'db/postgres/replicas.test.ts',
  'db/postgres/round-trips.test.ts',
  'db/postgres/two-servers.test.ts',
  'server/mail/mail-claims.test.ts',
]

/** Tests of what only one of the engines does. No test skips itself by its engine. */
export const ONLY_ON = {
  sqlite: [
    // Watches are known from one message to the next only where one process writes.
    'server/tracking/ingest/known-watches.test.ts',
    // PostgreSQL removes old live events in a job and not with each insert (db/postgres/two-servers.test.ts).
    'server/live/live-stream.away.test.ts',
    // A plan of PostgreSQL depends on the number of rows.
    'server/operator/search/sales-of-accounts.test.ts',
    // The mock server has SQLite only.
    'server/mail/product-name.test.ts',
  ],
  postgres: [
    // SQLite has one writer: no transaction conflicts with another, and each waits for all others.
    'server/accounts/sessions/sessions.shared.test.ts',
    'server/live/live-log.retry.test.ts',
    'server/tracking/ingest/ingest.locks.test.ts',
  ],
} as const
