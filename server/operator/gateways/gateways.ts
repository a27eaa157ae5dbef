import type { gateways as contract, Gateway } from '#contracts/operator/gateways.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { type DeedPorts, doDeed, PROGRAM } from '#server/deeds/do-deed.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { World } from '#server/ports/world.ts'
import { endGateway, insertGateway, type KeyRow, listGateways } from '#server/trackers/keys/device-keys.store.ts'

type Ports = DeedPorts & Pick<World, 'ids'>

const presentGateway = ({ id, label, createdAt, lastUsedAt }: KeyRow): Gateway => ({
  id,
  label,
  created_at: createdAt && formatInstant(createdAt),
  last_used_at: lastUsedAt && formatInstant(lastUsedAt),
})

const makeGateway = (ports: Ports, label: string) =>
  doDeed(ports, [], async (tx) => {
    const key = ports.ids.token()
    const row = await insertGateway(tx, { hash: sha256(key), label, createdAt: ports.clock.now() })
    return { deed: { kind: 'gateway_made', subject: label }, response: { gateway: presentGateway(row), key }, secret: 'key' }
  })

const removeGateway = (ports: DeedPorts, id: number) =>
  doDeed(ports, [], async (tx) => {
    const ended = await endGateway(tx, id)
    if (!ended) throw new Failure('not_found')
    return { deed: { kind: 'gateway_ended', subject: ended.label }, response: { id } }
  })

export const gateways: Handlers<typeof contract> = {
  list: async (_, { db }) => (await listGateways(db.read)).map(presentGateway),
  make: ({ body }, context) => makeGateway(context, body.label),
  end: ({ params }, context) => removeGateway(context, params.id),
}

export const GATEWAYS_USAGE = `  gateways [list]            prints the gateways, one JSON object a line
  gateways make LABEL        makes a key that reports for every tracker, and prints it once
  gateways end ID            ends it at once`

/** The operator's command. Returns false for arguments that it does not know. Throws a sentence for a value that cannot be used. */
export async function operateGateways(given: Omit<Ports, 'actor'> & { print(line: string): void }, [deed, about, ...more]: string[]) {
  const ports = { ...given, actor: PROGRAM }
  const { db, print } = ports
  if (deed === undefined) for (const row of await listGateways(db.read)) print(JSON.stringify(presentGateway(row)))
  else if (about === undefined || more.length > 0) return false
  else if (deed === 'make') print((await makeGateway(ports, about)).key)
  else if (deed === 'end') {
    const found = (await listGateways(db.read)).find(({ id }) => String(id) === about)
    if (!found) throw new Error(`There is no gateway with the id ${about}.`)
    await removeGateway(ports, found.id)
    print(`The gateway ${found.label} has ended.`)
  } else return false
  return true
}
