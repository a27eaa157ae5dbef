import { createHash } from 'node:crypto'
import files from './photos.json' with { type: 'json' }
import { SEED } from './seed-ids.ts'

/** Drawn for the demo: JPEG files of 512 and 96 pixels. */
const PHOTOS = [
  { deviceId: SEED.devices.rex, ...files.rex },
  { deviceId: SEED.devices.misty, ...files.misty },
]

export const photoRows = PHOTOS.map(({ deviceId, ...file }) => {
  const [large, small] = [Buffer.from(file.large, 'base64'), Buffer.from(file.small, 'base64')]
  return { deviceId, hash: createHash('sha256').update(large).digest('hex'), large, small }
})
