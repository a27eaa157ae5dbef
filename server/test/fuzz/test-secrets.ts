import { ALICE_DEVICES } from '#server/mock/seed/records/devices-alice.ts'
import { FLEETS } from '#server/mock/seed/records/fleets.ts'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'

/** What only one account may read of: e-mail, last name, numbers of its trackers. By the account's id. */
const OF_ACCOUNT = new Map<number, string[]>()

const add = (accountId: number, ...texts: string[]) => OF_ACCOUNT.set(accountId, [...(OF_ACCOUNT.get(accountId) ?? []), ...texts])

for (const { accountId, email, lastName } of PERSONAS) add(accountId, email, JSON.stringify(lastName))
for (const { accountId, head, maker, devices } of FLEETS) {
  add(accountId, `"${head}`, `"${maker}0`)
  // A tracker that is shared by a public link shows its name to anybody.
  if (devices !== ALICE_DEVICES) add(accountId, ...devices.map(({ name }) => JSON.stringify(name)))
}

/** The texts of other accounts than that; of all when it is null. */
export const secretsOfOthers = (accountId: number | null) =>
  [...OF_ACCOUNT].filter(([id]) => id !== accountId).flatMap(([, texts]) => texts)
