import { formatIdentifier } from '#contracts/rules/reading/text.ts'
import type { Tx } from '#db/db.ts'
import type { DeviceRow } from '#db/scope.ts'
import { insertEntries, type NewEntry } from '#server/security/security.store.ts'
import type { DeedPorts } from './do-deed.ts'

/** How the log of deeds names a tracker. */
export const nameTracker = ({ identifier, name }: Pick<DeviceRow, 'identifier' | 'name'>) =>
  identifier ? formatIdentifier(identifier) : name

/** Adds a line to the security log of the account, with the name of who did it. */
export const recordForOwner = (
  tx: Tx,
  { clock, actor }: Pick<DeedPorts, 'clock' | 'actor'>,
  entry: Pick<NewEntry, 'accountId' | 'kind'> & Partial<NewEntry>,
) => insertEntries(tx, [{ who: actor.who, at: clock.now(), ...entry }])
