import { queryOptions } from '@tanstack/react-query'
import { groupLinks, links, type PublicLink } from '#contracts/links.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { orMissing } from '#web/lib/api/features.ts'
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

/** All links of the account. Falls back to one request per tracker for backends without that list. */
export const allPublicLinksQuery = () =>
  queryOptions({
    queryKey: linkKeys.account,
    queryFn: async ({ signal }) =>
      (await orMissing<OwnedLink[] | null>('accountLinks', () => linksApi.list({}, { signal }), null)) ?? listLinksPerTracker(signal),
  })

const readTrackerLinks = (id: number, signal: AbortSignal) => orMissing('links', () => linksApi.listOf({ params: { id } }, { signal }), [])

async function listLinksPerTracker(signal: AbortSignal): Promise<OwnedLink[]> {
  const devices = await devicesApi.list({ query: { type: 'tracker' } }, { signal })
  const lists = devices.map(async ({ id, name }) => {
    const links = await readTrackerLinks(id, signal)
    return links.map((link) => ({ ...link, device: id, device_name: name }))
  })
  return (await Promise.all(lists)).flat()
}
