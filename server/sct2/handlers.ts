import { isSct2Board } from '#contracts/rules/display-type.ts'
import type { sct2 as contract } from '#contracts/sct2.ts'
import { ownedWithin } from '#server/devices/find.ts'
import { requestMode } from '#server/devices/request-mode.ts'
import { writeDevices } from '#server/lib/device-changes.ts'
import { Failure } from '#server/lib/errors.ts'
import { ownedDevice } from '#server/lib/owned.ts'
import type { Handlers } from '#server/lib/serve.ts'
import { paramsRow, presentParams } from './present.ts'
import { paramsOf, saveParams } from './store.ts'

const CONFIGURABLE = 50

/** The configurable mode, which only trackers with an SCT2 board have. */
export const sct2: Handlers<typeof contract> = {
  async read({ params }, context) {
    const { id, boardName } = await ownedDevice(context, params.id)
    requireBoard(boardName)
    return presentParams(await paramsOf(context.db.read, id))
  },
  async update({ params, query, body }, { db, clock, live, viewer }) {
    const event = await writeDevices(db, async (tx, touch) => {
      const device = await ownedWithin(tx, viewer, params.id)
      requireBoard(device.boardName)
      if (query.action !== 'ui') throw new Failure('action_required')
      touch(device)
      await saveParams(tx, paramsRow(device.id, body))
      return (await requestMode(tx, device, CONFIGURABLE, clock.now())).event
    })
    live.publish(event)
    return body
  },
}

function requireBoard(boardName: string) {
  if (!isSct2Board(boardName)) throw new Failure('not_found')
}
