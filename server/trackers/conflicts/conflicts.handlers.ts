import type { conflicts as contract, UnlinkRequest } from '#contracts/conflicts.ts'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/text.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalid } from '#server/lib/errors.ts'
import { formatReference } from '#server/trackers/reference.ts'
import { findRequestedTracker } from './find-asked.ts'
import { requestUnlink } from './request-unlink.ts'

export const conflicts: Handlers<typeof contract> = {
  async requestUnlink({ body }, context) {
    const numbers = parseNumbers(body)
    const answer = await writeDevices(context.db, async (tx, touch) => {
      const device = await findRequestedTracker(tx, numbers)
      if ('refused' in device) return device
      touch(device)
      return requestUnlink(tx, context, device, body)
    })
    if ('refused' in answer) throw new Failure(answer.refused, answer.extras)
    return { reference: formatReference(answer.id), status: answer.status }
  },
}

function parseNumbers({ identifier, serial }: UnlinkRequest) {
  const numbers = {
    ...(identifier !== undefined && { identifier: normalizeIdentifier(identifier) }),
    ...(serial !== undefined && { serial: normalizeSerial(serial) }),
  }
  if (numbers.identifier === null) throw invalid('identifier', 'Must be 8+2 digits')
  if (numbers.serial === null) throw invalid('serial', 'Must be 12 letters and digits')
  return { ...(numbers.identifier && { identifier: numbers.identifier }), ...(numbers.serial && { serial: numbers.serial }) }
}
