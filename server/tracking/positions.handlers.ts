import type { positions as contract } from '#contracts/positions.ts'
import { getOwnedDevice } from '#server/devices/get-device.ts'
import type { Download, Handlers } from '#server/http/serve.ts'
import { createLiveStream } from '#server/live/live-stream.ts'
import { exportFilename, historyCsv } from './csv.ts'
import { historyPage } from './history.ts'
import { ingest } from './ingest.ts'
import { resolvePeriod } from './period.ts'
import { encodeHistory } from './track.ts'

export const positions: Handlers<typeof contract> = {
  async history({ params, query }, context) {
    const { id } = await getOwnedDevice(context, params.id)
    return historyPage(context, id, resolvePeriod(query, context.clock.now()), query.page ?? 1)
  },
  async track({ params, query }, context): Promise<Download> {
    const { id, name } = await getOwnedDevice(context, params.id)
    return { filename: `${name}.track`, content: encodeHistory(context, id, resolvePeriod(query, context.clock.now())) }
  },
  async exportCsv({ params, query }, context): Promise<Download> {
    const { id, name } = await getOwnedDevice(context, params.id)
    const period = resolvePeriod(query, context.clock.now())
    return { filename: exportFilename(name, period), content: historyCsv(context, id, period) }
  },
  live: (_, context) => createLiveStream(context),
  ingest: ({ body }, context) => ingest(context, body, context.speaker.deviceId),
}
