import type { theft as contract } from '#contracts/conflicts.ts'
import { ownedDevice } from '#server/lib/owned.ts'
import type { Handlers } from '#server/lib/serve.ts'
import { drawForm } from './document.ts'
import { presentForm } from './present.ts'
import { languageOf, openReport, ownerOf } from './store.ts'

export const theft: Handlers<typeof contract> = {
  async form({ params }, { db, viewer, clock }) {
    const device = await ownedDevice({ db, viewer }, params.id)
    const now = clock.now()
    const [owner, report, language] = await Promise.all([
      ownerOf(db.read, device.accountId),
      openReport(db.read, device.id),
      languageOf(db.read, viewer.userId),
    ])
    const form = presentForm({ device, owner, report, now }, language)
    return { filename: `theft_form_${device.id}.pdf`, content: await drawForm(form, now) }
  },
}
