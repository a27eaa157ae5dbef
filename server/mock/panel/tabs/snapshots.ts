import { controlPlane, reloadSignedIn } from '#server/mock/panel/parts/control-plane.ts'
import { badge, button, form, group, link, note, rows, text } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import type { Tab, TabContext } from '#server/mock/panel/parts/tab.ts'

type Snapshot = Awaited<ReturnType<typeof controlPlane.snapshots.list>>[number]

const NAME = { required: true, pattern: '[a-z0-9][a-z0-9_\\-]{0,59}', size: '18' }

export const snapshots: Tab = {
  id: 'snapshots',
  title: 'Snapshots',
  async show(context) {
    const saved = await controlPlane.snapshots.list()
    const name = text('Name', { ...NAME, value: `snapshot-${saved.length + 1}` })
    const taken = text('Name', { ...NAME, value: 'imported' })
    const file = element('input', { type: 'file', accept: '.db', required: true })
    context.fill(
      group(
        'Keep this world',
        form(context, 'Save', [name], async () => {
          const saved = await controlPlane.snapshots.create({ body: { name: name.read() } })
          await snapshots.show(context)
          return `${saved.name} is kept, ${formatSize(saved)}`
        }),
        note('One file with data, time and seed: attached to a bug report, it reproduces the exact state.'),
      ),
      group('Kept', rows(saved.map((one) => snapshotRow(context, one)).reverse(), 'No snapshots yet.')),
      group(
        'Import',
        form(context, 'Import', [{ shown: element('label', {}, 'File', file) }, taken], async () => {
          const added = await controlPlane.snapshots.add({ query: { name: taken.read() }, body: file.files![0]! })
          await snapshots.show(context)
          return `${added.name} is there, ${formatSize(added)}`
        }),
      ),
    )
  },
}

function snapshotRow(context: TabContext, snapshot: Snapshot) {
  const { name, scenario, clock } = snapshot
  const params = { name }
  const restore = async () => {
    const { personas } = await controlPlane.snapshots.restore({ params })
    reloadSignedIn(context, personas, `The world stands as in ${name}`)
  }
  const remove = async () => {
    await controlPlane.snapshots.remove({ params })
    await snapshots.show(context)
  }
  return [
    element('span', { class: 'two' }, element('strong', {}, name), element('span', {}, `${clock.now}, ${formatSize(snapshot)}`)),
    badge(scenario, 'plain'),
    button(context, 'Restore', restore, { 'aria-label': `Restore ${name}` }),
    link(`/mock/snapshots/${name}/download`, 'Download', { download: `${name}.db`, class: 'button', 'aria-label': `Download ${name}` }),
    button(context, 'Delete', remove, { 'aria-label': `Delete ${name}` }),
  ]
}

const formatSize = ({ bytes }: Snapshot) => `${(bytes / 1_000_000).toFixed(1)} MB`
