/** The accepted forms of a PostgreSQL address, in one sentence. */
const DATABASE_FORMS =
  'give the address of a PostgreSQL: postgres://user:password@host/name, or of several: postgres://user:password@host1:5432,host2:5432/name'

const HOST = /^(\[[\da-f:.]+\]|[^:[\]\s]+)(:(\d+))?$/i
/** The server writes, so only these values make sense. */
const WRITABLE = ['read-write', 'primary']

/**
 * Returns an address for each host of a database. Accepts the same forms as psql: hosts with or without ports of their own, in the place of
 * the host or as the parameters `host` and `port`, and `target_session_attrs`. Throws one sentence for any other form.
 */
export function splitAddress(text: string): string[] {
  const [, scheme = '', user = '', hosts = '', rest = ''] = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? []
  if (!scheme) throw new Error(DATABASE_FORMS)
  const base = `${scheme}${user}localhost${rest}`
  if (!URL.canParse(base)) throw new Error(DATABASE_FORMS)
  const { searchParams } = new URL(base)
  const target = searchParams.get('target_session_attrs') ?? WRITABLE[0]!
  if (!WRITABLE.includes(target))
    throw new Error(`target_session_attrs=${target} is of no use, because the server writes: leave it out, or give read-write`)
  const named = searchParams.get('host') ?? ''
  // The driver itself reads a single socket or host in a parameter.
  const isSplit = named.includes(',')
  if (isSplit && hosts) throw new Error('the hosts stand in two places: give them before the name of the database only')
  const all = isSplit ? joinPorts(named.split(','), (searchParams.get('port') ?? '').split(',')) : hosts.split(',')
  const removed = ['target_session_attrs', ...(isSplit ? ['host', 'port'] : [])]
  if (/,postgres(ql)?:/.test(rest)) throw new Error('it names several databases: give one address with all hosts, host1:5432,host2:5432')
  if (all.length === 1) {
    if (!URL.canParse(text)) throw new Error(DATABASE_FORMS)
    return [`${scheme}${user}${hosts}${withoutParameters(rest, removed)}`]
  }
  return all.map((host) => {
    const [, , , port = '5432'] = HOST.exec(host.trim()) ?? []
    if (!HOST.test(host.trim()) || Number(port) < 1 || Number(port) > 65_535)
      throw new Error(`"${host}" is no host: give host1:5432,host2:5432, with or without ports, and no comma at the end`)
    return `${scheme}${user}${host.trim()}${withoutParameters(rest, removed)}`
  })
}

function joinPorts(hosts: string[], ports: string[]) {
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new Error(`there are ${hosts.length} hosts and ${ports.length} ports: give one port for each host, or one for all`)
  const portOf = (nth: number) => ports[nth] ?? ports[0]
  return hosts.map((host, nth) => (portOf(nth) ? `${host}:${portOf(nth)}` : host))
}

/** Leaves the rest unchanged, because the driver has its own way of decoding it. */
function withoutParameters(rest: string, names: readonly string[]) {
  const [path = '', query] = rest.split('?', 2)
  if (query === undefined) return path
  const left = query.split('&').filter((pair) => pair && !names.includes(pair.split('=')[0]!))
  return left.length > 0 ? `${path}?${left.join('&')}` : path
}
