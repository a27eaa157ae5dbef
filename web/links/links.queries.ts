import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { groupLinks, links, type PublicLink } from '#contracts/links.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { nullIfUnknown } from '#web/lib/api/api-error.ts'
import { hasFeature, orMissing } from '#web/lib/other-backends/features.ts'
import { devicesApi } from '#web/trackers/trackers.queries.tsx'

export const linksApi = createClient(links, clientPorts)

const groupLinksApi = createClient(groupLinks, clientPorts)

export type OwnedLink = PublicLink & { device: number; device_name: string }

type NewLink = Parameters<typeof linksApi.create>[0]['body']

/** Creates a link for one tracker, or one link for several. */
export const createLink = (devices: readonly number[], body: NewLink, options: Parameters<typeof linksApi.create>[1]) => {
  const [id, ...others] = devices
  return id !== undefined && others.length === 0
    ? linksApi.create({ params: { id }, body }, options)
    : groupLinksApi.create({ body: { ...body, devices: [...devices] } }, options)
}

/** Whether a link shows a tracker, alone or among others. */
export const showsTracker = ({ device, devices }: OwnedLink, id: number) =>
  device === id || devices?.some((each) => each.id === id) === true

/** `all` is a prefix of the other keys: a change made in one dialog invalidates every list. */
export const linkKeys = { all: ['links'], tracker: (id: number) => ['links', id], account: ['links', 'all'] } as const

/** Newest first. */
export const trackerLinksQuery = (id: number) =>
  queryOptions({ queryKey: linkKeys.tracker(id), queryFn: ({ signal }) => readTrackerLinks(id, signal) })

/**
 * All links of the account. Falls back to one request per tracker for backends without that list; with `only`, to one for that tracker, and other
 * backends list the links of other trackers as well.
 */
export const allPublicLinksQuery = (only: number | null = null) =>
  queryOptions({
    queryKey: only === null ? linkKeys.account : ([...linkKeys.account, only] as readonly unknown[]),
    queryFn: async ({ signal, client }) => {
      const all = await orMissing<OwnedLink[] | null>('accountLinks', () => linksApi.list({}, { signal }), null)
      if (all && only !== null) client.setQueryData(linkKeys.account, all)
      return all ?? listLinksPerTracker(client, signal, only)
    },
  })

/** Invalidates the queries that a change affects: the links of these trackers, and the list of all. */
export async function refreshLinks(queries: QueryClient, devices: readonly unknown[]) {
  const isStale = ({ queryKey: [, of] }: { queryKey: readonly unknown[] }) => of === 'all' || devices.includes(of)
  const done = queries.invalidateQueries({ queryKey: linkKeys.all, predicate: isStale })
  // Without a list of all links there is a request for each tracker, and no dialog should wait for them.
  if (hasFeature('accountLinks')) await done
}

/** A backend that reads a single link responds with 404 if a tracker has none. */
const readTrackerLinks = (id: number, signal: AbortSignal) =>
  orMissing('links', () => linksApi.listOf({ params: { id } }, { signal }).catch((error: unknown) => nullIfUnknown(error) ?? []), [])

/** How long the links of a tracker are reused in the list of all, unless they were changed here. */
const REUSED_MS = 300_000

/**
 * Shows the links that have arrived while those of other trackers are still loading. Trackers that the backend marks as public come first.
 */
async function listLinksPerTracker(client: QueryClient, signal: AbortSignal, only: number | null): Promise<OwnedLink[]> {
  const { readFewAtATime } = await import('./few-at-a-time.ts')
  const devices = await devicesApi.list({ query: { type: 'tracker' } }, { signal })
  const readOf = async ({ id, name }: Device) => {
    const links = hasFeature('links') ? await client.fetchQuery({ ...trackerLinksQuery(id), staleTime: REUSED_MS }) : []
    return links.map((link) => ({ ...link, device: id, device_name: name }))
  }
  const onResult = (lists: OwnedLink[][]) => {
    const [links, shown] = [lists.flat(), client.getQueryData<OwnedLink[]>(linkKeys.account) ?? []]
    if (only === null && links.length > shown.length && !signal.aborted) client.setQueryData(linkKeys.account, links)
  }
  const wanted = devices.filter(({ id }) => only === null || id === only).toSorted((a, b) => Number(b.is_public) - Number(a.is_public))
  return (await readFewAtATime(wanted, readOf, { signal, onResult })).flat()
}
