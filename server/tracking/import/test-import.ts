import type { ImportPreview } from '#contracts/data.ts'
import type { NewPosition } from '#db/positions.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

export const ALICE = 'alice@example.com'
const ALWAYS = [0, 5_000_000_000] as const

/** A portal with a tracker without positions, and calls for it. */
export async function startImport() {
  const portal = await startPortal()
  const { newTracker: target } = SEED.devices
  const url = `/devices/${target}/imports/`
  const upload = (body: string | Buffer, filename = 'file', as = ALICE) =>
    portal.call(as, 'POST', `${url}?filename=${encodeURIComponent(filename)}`, Buffer.from(body), {
      'content-type': 'application/octet-stream',
    })
  return {
    portal,
    target,
    url,
    upload,
    preview: async (body: string | Buffer): Promise<ImportPreview> => {
      const { status, body: answer } = await upload(body)
      if (status !== 201) throw new Error(JSON.stringify(answer))
      return answer
    },
    commit: (id: number, as = ALICE) => portal.call(as, 'POST', `${url}${id}/commit/`),
    undo: (id: number, as = ALICE) => portal.call(as, 'DELETE', `${url}${id}/`),
    list: async () => (await portal.call(ALICE, 'GET', url)).body,
    stored: (id: number = target) => portal.world.positions.range(id, ...ALWAYS, 1_000_000, 0),
    add: (id: number, rows: NewPosition[]) => portal.world.db.write('everything', (tx) => portal.world.positions.add(tx, id, rows)),
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  }
}
