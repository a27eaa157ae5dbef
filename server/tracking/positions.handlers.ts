import type { positions as contract } from '#contracts/positions.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { getOwnedDevice } from '#server/http/access/owned-device.ts'
import type { Download, Handlers } from '#server/http/serve.ts'
import { createLiveStream, requireStreamRoom } from '#server/live/live-stream.ts'
import { recordKeyMessage } from '#server/trackers/keys/key-messages.ts'
import { changeMarks } from '#server/tracking/history/change-marks.ts'
import { exportFilename, historyCsv } from '#server/tracking/history/csv.ts'
import { encodeHistory, historyPage, openHistory, resolvePeriod } from '#server/tracking/history/history.ts'
import { ingest } from '#server/tracking/ingest/ingest.ts'
import { listRefusedFixes } from '#server/tracking/ingest/refused-fixes.store.ts'
import { countReported } from '#server/tracking/ingest/report-limit.ts'

export const positions: Handlers<typeof contract> = {
  async history({ params, query }, context) {
    const device = await getOwnedDevice(context, params.id)
    return historyPage(openHistory(context, device), device.id, resolvePeriod(query, context.clock.now()), query.page ?? 1)
  },
  async track({ params, query }, context): Promise<Download> {
    const device = await getOwnedDevice(context, params.id)
    const period = resolvePeriod(query, context.clock.now())
    return { filename: `${device.name}.track`, content: encodeHistory(openHistory(context, device), device.id, period) }
  },
  async exportCsv({ params, query }, context): Promise<Download> {
    const device = await getOwnedDevice(context, params.id)
    const period = resolvePeriod(query, context.clock.now())
    return { filename: exportFilename(device.name, period), content: historyCsv(openHistory(context, device), device.id, period) }
  },
  async changeMarks({ params, body }, context) {
    return { changed: await changeMarks(context, params.id, body) }
  },
  async refused({ params }, context) {
    const { id } = await getOwnedDevice(context, params.id)
    return (await listRefusedFixes(context.db.read, id)).map(({ reason, count, firstAt, lastAt, lastTime }) => ({
      reason,
      count,
      first_at: formatInstant(firstAt),
      last_at: formatInstant(lastAt),
      last_datetime: formatInstant(lastTime),
    }))
  },
  live(_, context) {
    requireStreamRoom(context)
    return createLiveStream(context)
  },
  async ingest({ body }, context) {
    const { keyId, deviceId } = context.deviceKey
    if (deviceId !== null) await countReported(context, deviceId, body.positions.length)
    const receipt = await ingest(context, { isOwn: deviceId !== null, ...body }, deviceId)
    // A gateway sends too many messages for a second write; their result is in the tracker's status.
    if (deviceId !== null) {
      const [refused] = receipt.refused ?? []
      const outcome = { outcome: 'read' as const, reason: refused?.reason ?? null, positions: body.positions.length }
      await recordKeyMessage(context, { keyId, deviceId, protocol: 'json', ...outcome })
    }
    return receipt
  },
}
