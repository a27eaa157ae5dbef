import { owners } from '#contracts/trackers/owners.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

const ownersApi = createClient(owners, clientPorts)

/** Name and e-mail address of the owner of each tracker, in one text. */
export async function readOwners(signal: AbortSignal): Promise<ReadonlyMap<number, string>> {
  const owners = await ownersApi.list({}, { signal })
  return new Map(owners.flatMap(({ name, email, trackers }) => trackers.map((id) => [id, `${name}, ${email}`])))
}
