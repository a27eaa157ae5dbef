import type { AlertFiring, firings as contract } from '#contracts/firings.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { type FiringCursor, listFirings } from './firings.store.ts'

const PAGE_SIZE = 50

export const firings: Handlers<typeof contract> = {
  list: ({ query }, context) => readFirings(context, query),
}

/** A page of fired alerts, newest first. */
export async function readFirings(
  { db, viewer }: ViewerContext,
  { device, place, before }: { device?: number | undefined; place?: number | undefined; before?: string | undefined },
) {
  const rows = await listFirings(db.read, viewer, {
    device,
    place,
    before: before ? parseCursor(before) : undefined,
    limit: PAGE_SIZE + 1,
  })
  const page = rows.slice(0, PAGE_SIZE)
  const last = rows.length > PAGE_SIZE ? page.at(-1) : undefined
  return { firings: page.map(presentFiring), next: last ? `${last.firing.at.getTime()}-${last.firing.id}` : null }
}

function parseCursor(text: string): FiringCursor {
  const [at = 0, id = 0] = text.split('-').map(Number)
  return { at: new Date(at), id }
}

type Row = Awaited<ReturnType<typeof listFirings>>[number]

const presentFiring = ({ firing: { id, at, kind, deviceId, aboutId, about, mails }, deviceName }: Row): AlertFiring => ({
  id,
  at: formatInstant(at),
  kind,
  device: deviceId,
  device_name: deviceName,
  place: aboutId,
  place_name: about,
  mails,
})
