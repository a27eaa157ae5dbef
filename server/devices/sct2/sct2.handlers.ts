import { isSct2Board } from '#contracts/rules/tracking/tracker.ts'
import type { sct2 as contract } from '#contracts/sct2.ts'
import { writeDevices } from '#db/device-changes.ts'
import { ownedWithin } from '#server/devices/find.ts'
import { ownedDevice } from '#server/devices/owned.ts'
import { requestMode } from '#server/devices/request-mode.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { paramsRow, presentParams } from './sct2.present.ts'
import { paramsOf, saveParams } from './sct2.store.ts'

const CONFIGURABLE = 50

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
