type Settings = { [name in 'WORLD_ORIGIN' | 'PORTAL_ORIGIN']?: string | undefined } & { PORT?: number }

export type WorldOrigins = {
  /** The origin of `main` and of the entry links. */
  main: string
  /** The origin of a world: the base of its links in mails and checkouts. */
  find(id: string): string
  /** The world that a host name refers to, without the port; undefined if it refers to none. */
  readId(hostname: string): string | undefined
}

/**
 * Origins by the pattern `WORLD_ORIGIN`. With `{id}` in its host each world has a host name of its own; without it all worlds share one
 * origin, and the cookie of `/mock/enter/<id>` chooses. By default `w-{id}.localhost`, which every browser of this machine resolves.
 */
export function createWorldOrigins({ WORLD_ORIGIN, PORTAL_ORIGIN, PORT = 8080 }: Settings = {}): WorldOrigins {
  const isShared = WORLD_ORIGIN !== undefined && !WORLD_ORIGIN.includes('{id}')
  const main = PORTAL_ORIGIN ?? (isShared ? WORLD_ORIGIN : `http://localhost:${PORT}`)
  const pattern = WORLD_ORIGIN ?? withHost(main, 'w-{id}.localhost')
  const host = /^https?:\/\/([^:/]+)/.exec(pattern)![1]!
  const names = ['w-{id}.localhost', ...(host.includes('{id}') ? [host] : [])].map(toRegExp)
  return {
    main,
    find: (id) => pattern.replace('{id}', id),
    readId: (hostname) => names.map((name) => name.exec(hostname.toLowerCase())?.[1]).find((id) => id !== undefined),
  }
}

const withHost = (origin: string, host: string) => origin.replace(/^(https?:\/\/)(\[[^\]]*\]|[^:/]+)/, `$1${host}`)

const toRegExp = (host: string) => new RegExp(`^${host.toLowerCase().replaceAll('.', '\\.').replace('{id}', '([a-z0-9-]+)')}$`)
