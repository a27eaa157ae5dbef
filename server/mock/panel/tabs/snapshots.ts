import type { Desk, Tab } from '#server/mock/panel/parts/desk.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { badge, button, form, group, link, note, rows, text } from '#server/mock/panel/parts/parts.ts'
import { server } from '#server/mock/panel/parts/server.ts'
import { stay } from '#server/mock/panel/parts/sign-in.ts'

type Snapshot = Awaited<ReturnType<typeof server.snapshots.list>>[number]

const NAME = { required: true, pattern: '[a-z0-9][a-z0-9_\\-]{0,59}', size: '18' }

export const snapshots: Tab = {
  id: 'snapshots',
  title: 'Snapshots',
  async show(desk) {
    const kept = await server.snapshots.list()
    const name = text('Name', { ...NAME, value: `snapshot-${kept.length + 1}` })
    const taken = text('Name', { ...NAME, value: 'imported' })
    const file = element('input', { type: 'file', accept: '.db', required: true })
    desk.fill(
      group(
        'Keep this world',
        form(desk, 'Save', [name], async () => {
          const saved = await server.snapshots.create({ body: { name: name.read() } })
          await snapshots.show(desk)
          return `${saved.name} is kept, ${sizeOf(saved)}`
        }),
        note('Data, time and seed in one file: attached to a report, it opens the very state elsewhere.'),
      ),
      group('Kept', rows(kept.map((one) => snapshotRow(desk, one)).reverse(), 'Nothing is kept yet.')),
      group(
        'Import',
        form(desk, 'Import', [{ shown: element('label', {}, 'File', file) }, taken], async () => {
          const added = await server.snapshots.add({ query: { name: taken.read() }, body: file.files![0]! })
          await snapshots.show(desk)
          return `${added.name} is there, ${sizeOf(added)}`
        }),
      ),
    )
  },
}

function snapshotRow(desk: Desk, snapshot: Snapshot) {
  const { name, scenario, clock } = snapshot
  const params = { name }
  const restore = async () => {
    const { personas } = await server.snapshots.restore({ params })
    stay(desk, personas, `The world stands as in ${name}`)
  }
  const remove = async () => {
    await server.snapshots.remove({ params })
    await snapshots.show(desk)
  }
  return [
    element('span', { class: 'two' }, element('strong', {}, name), element('span', {}, `${clock.now}, ${sizeOf(snapshot)}`)),
    badge(scenario, 'plain'),
    button(desk, 'Restore', restore, { 'aria-label': `Restore ${name}` }),
    link(`/mock/snapshots/${name}/download`, 'Download', { download: `${name}.db`, class: 'button', 'aria-label': `Download ${name}` }),
    button(desk, 'Delete', remove, { 'aria-label': `Delete ${name}` }),
  ]
}

const sizeOf = ({ bytes }: Snapshot) => `${(bytes / 1_000_000).toFixed(1)} MB`
