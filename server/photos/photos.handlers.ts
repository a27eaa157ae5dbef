import { createHash } from 'node:crypto'
import type { photos as contract } from '#contracts/trackers/photos.ts'
import { touch, writeDevices } from '#db/device-changes.ts'
import type { DeviceRow } from '#db/scope.ts'
import { getOwnedDevice, getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { withSpooled } from '#server/http/spool.ts'
import { countBytes, countUpload } from '#server/lib/limits/daily-uploads.ts'
import { runInWorker } from '#server/lib/workers/run-in-worker.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { readDevice } from '#server/trackers/records/device.ts'
import type { encodePhoto } from './encode-photo.ts'
import { removePhoto, saveIcon, savePhoto } from './photos.store.ts'

export const photos: Handlers<typeof contract> = {
  async save({ params, body }, context) {
    await getOwnedDevice(context, params.id)
    await countUpload(context, 'photos', params.id)
    const encoded = await withSpooled(body, async ({ fd, size }) => {
      await countBytes(context, 'photos', size)
      return runInWorker<typeof encodePhoto>('photo', fd)
    })
    const [large, small] = [Buffer.from(encoded.large), Buffer.from(encoded.small)]
    const hash = createHash('sha256').update(large).digest('hex')
    return changeDevice(context, params.id, (tx, { id }) => savePhoto(tx, { deviceId: id, hash, large, small }))
  },
  remove: ({ params }, context) => changeDevice(context, params.id, (tx, { id }) => removePhoto(tx, id)),
  setIcon: ({ params, body }, context) => changeDevice(context, params.id, (tx, { id }) => saveIcon(tx, id, body.icon)),
}

type Change = (tx: Parameters<typeof getOwnedDeviceInTx>[0], device: DeviceRow) => PromiseLike<unknown>

function changeDevice({ db, clock, viewer }: ViewerContext, id: number, change: Change) {
  return writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
    const device = await getOwnedDeviceInTx(tx, viewer, id)
    touch(tx, device)
    await change(tx, device)
    return readDevice(tx, viewer, id, clock.now())
  })
}
