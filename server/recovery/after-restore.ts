import type { Db } from '#db/db.ts'
import type { EndingKind } from '#db/schema/security.ts'
import { endAllStaffSessions } from '#server/operator/staff/staff.store.ts'
import { holdUnsentMails } from '#server/outbox/outbox.store.ts'
import type { World } from '#server/ports/world.ts'
import { endAllSessions } from '#server/security/open-sessions.ts'
import { applyEndings } from './apply-endings.ts'
import { deleteHeldAlerts, deletePushes, deleteSilences, type Ending, endDeliveries, removeAllPasswords } from './endings.store.ts'
import { readEndings } from './endings-file.ts'

type Ports = Pick<World, 'clock'> & { db: Db; print(line: string): void }
type Options = {
  /** Files with lists of what people have ended, one per server. */
  files: readonly string[]
  /** Entries that no file contains, from the replaced database. */
  more?: readonly Ending[]
  /** Also ends API tokens that are on no list, and removes all passwords. */
  endsApiTokens?: boolean | undefined
  endsPasswords?: boolean | undefined
}

const NAMES: Record<EndingKind, string> = {
  user: 'erased users',
  tracker: 'removed trackers',
  contact: 'removed contacts',
  mail_stop: 'stops of alert mails',
  password: 'changed passwords (their users set a new one by "forgot password")',
  passkey: 'removed passkeys',
  api_token: 'removed API tokens',
  public_link: 'removed public links',
  device_key: 'revoked keys of phones',
  network_key: 'revoked keys of networks',
  staff_member: 'removed members of staff',
  staff_key: 'ended keys of other systems',
}

/**
 * Makes a restored database safe to use: things that people had ended end again, everybody has to sign in again, and nothing that was in
 * progress when the backup was made is sent a second time. Can be repeated.
 */
export async function finishRestore({ db, clock, print }: Ports, { files, more = [], endsApiTokens, endsPasswords }: Options) {
  const lists = files.map((file) => ({ file, endings: readEndings(file) }))
  const isListed = lists.some(({ endings }) => endings !== undefined)
  for (const { file, endings } of lists)
    print(endings ? `${file} has ${endings.length} entries.` : `${file} is not there: what was ended since the backup is back.`)
  const ended = await applyEndings({ db, clock }, [...lists.flatMap(({ endings }) => endings ?? []), ...more])
  for (const [kind, number] of Object.entries(ended)) print(`Ended again: ${number} ${NAMES[kind as EndingKind]}.`)
  const now = clock.now()
  const { pushes, held, silences, mails, consoles } = await db.write('everything', async (tx) => ({
    pushes: (await deletePushes(tx)) + (await endDeliveries(tx, now)),
    held: await deleteHeldAlerts(tx, now),
    // One that a user ended since the backup would silence alerts again.
    silences: await deleteSilences(tx),
    mails: await holdUnsentMails(tx, now),
    consoles: await endAllStaffSessions(tx),
  }))
  // Without the list, tokens that were removed after a leak look like all others.
  const withApiTokens = endsApiTokens ?? !isListed
  const { users, sessions, apiTokens } = await endAllSessions(db, { email: null, withApiTokens, now })
  print(`Ended: ${sessions} sessions${withApiTokens ? ` and ${apiTokens} API tokens` : ''} of ${users} users.`)
  print(`Ended: ${consoles} sessions of the console.`)
  print(
    `Held: ${mails} mails that waited in the backup. They may have been sent; "operator.js mails" lists them, "mails --again" sends them.`,
  )
  print(`Dropped: ${pushes} notifications and ${held} alerts of quiet hours that waited in the backup.`)
  print(`Ended: ${silences} silences of alerts.`)
  if (endsPasswords)
    print(`Removed: the passwords of ${await db.write('everything', removeAllPasswords)} users, who set a new one by "forgot password".`)
  else if (!isListed)
    print(
      'Without a list, passwords that were changed after the backup are the old ones again: "after-restore --new-passwords" removes all.',
    )
  print('Next: start a server, then "operator.js reconcile --since=DATE" with the last moment of the backup.')
}
