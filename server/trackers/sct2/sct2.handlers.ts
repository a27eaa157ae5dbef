import { isSct2Board } from '#contracts/rules/tracking/tracker.ts'
import type { sct2 as contract } from '#contracts/trackers/sct2.ts'
import { writeDevices } from '#db/device-changes.ts'
import { getOwnedDevice, getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { requestMode } from '#server/trackers/settings/mode.ts'
import { findParams, presentParams, saveParams, toParamsRow } from './sct2.store.ts'

const CONFIGURABLE_MODE = 50

export const sct2: Handlers<typeof contract> = {
  async read({ params }, context) {
    const { id, boardName } = await getOwnedDevice(context, params.id)
    requireSct2Board(boardName)
    return presentParams(await findParams(context.db.read, id))
  },
  async update({ params, query, body }, { db, clock, viewer }) {
    await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      requireSct2Board(device.boardName)
      if (query.action !== 'ui') throw new Failure('action_required')
      await saveParams(tx, toParamsRow(device.id, body))
      await requestMode(tx, device, CONFIGURABLE_MODE, clock.now())
    })
    return body
  },
}

function requireSct2Board(boardName: string) {
  if (!isSct2Board(boardName)) throw new Failure('not_found')
}
