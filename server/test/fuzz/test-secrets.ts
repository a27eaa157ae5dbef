import { ALICE_DEVICES, FLEETS } from '#server/mock/seed/records/fleets.ts'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'

/** Texts that only one account may read, by account id: e-mail, last name, numbers of its trackers. */
const OF_ACCOUNT = new Map<number, string[]>()

const add = (accountId: number, ...texts: string[]) => OF_ACCOUNT.set(accountId, [...(OF_ACCOUNT.get(accountId) ?? []), ...texts])

for (const { accountId, email, lastName } of PERSONAS) add(accountId, email, JSON.stringify(lastName))
for (const { accountId, head, maker, devices } of FLEETS) {
  add(accountId, `"${head}`, `"${maker}0`)
  // Some of alice's trackers are shared by a public link, which shows their names to everyone.
  if (devices !== ALICE_DEVICES) add(accountId, ...devices.map(({ name }) => JSON.stringify(name)))
}

/** Texts of all accounts except this one; of all when null. */
export const secretsOfOthers = (accountId: number | null) =>
  [...OF_ACCOUNT].filter(([id]) => id !== accountId).flatMap(([, texts]) => texts)
