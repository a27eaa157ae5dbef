import { controlPlane } from '#server/mock/panel/parts/control-plane.ts'
import { button, expandableRow, group, line, note, rows } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import type { Tab } from '#server/mock/panel/parts/tab.ts'

type Downlink = Awaited<ReturnType<typeof controlPlane.downlinks.list>>[number]

export const networks: Tab = {
  id: 'networks',
  title: 'Networks',
  async show(context) {
    const list = element('div')
    const draw = async () => {
      const sent = await controlPlane.downlinks.list()
      const empty = 'Nothing yet. Choose a mode for a tracker that sends through The Things Stack or ChirpStack.'
      list.replaceChildren(
        rows(
          sent.map((downlink) => [expandableRow(context, [label(downlink)], async () => details(downlink))]),
          empty,
        ),
      )
    }
    context.on('downlink', () => void draw())
    const clear = button(context, 'Clear', async () => {
      await controlPlane.downlinks.clear()
      await draw()
    })
    const explanation = 'What would have been sent to trackers, newest first. A mode applies when the network reports its delivery.'
    context.fill(group('Sent through networks', note(explanation), list, line(clear)))
    await draw()
  },
}

const label = ({ url, accepted, at }: Downlink) =>
  element(
    'span',
    { class: 'two' },
    element('strong', {}, new URL(url).host),
    element('span', {}, `${accepted ? 'Accepted' : 'Refused'} · ${at}`),
  )

const details = ({ url, body }: Downlink) => element('div', {}, element('code', {}, url), element('pre', {}, JSON.stringify(body, null, 2)))
