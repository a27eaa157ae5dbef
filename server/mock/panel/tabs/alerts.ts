import { rights } from '#contracts/lib/rights.ts'
import { controlPlane } from '#server/mock/panel/parts/control-plane.ts'
import { badge, button, checkbox, choice, form, group, line, note, rows, text } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import type { Tab } from '#server/mock/panel/parts/tab.ts'

type Fired = Awaited<ReturnType<typeof controlPlane.firings.list>>[number]

const MAX_SHOWN = 20

export const alerts: Tab = {
  id: 'alerts',
  title: 'Alerts',
  async show(context) {
    const personas = (await controlPlane.scenarios.personas()).filter(({ role }) => rights.changePlaces.some((may) => may === role))
    const persona = choice(
      'As',
      personas.map(({ key, name }) => [key, name]),
    )
    const hours = text('Hours', { value: '1', inputmode: 'numeric', size: '4', required: true })
    const everyone = checkbox('for everyone')
    const fired = element('div')
    const muted = element('div')
    const drawFired = async () => {
      const found = personas.length > 0 ? await controlPlane.firings.list({ query: { persona: persona.read() } }) : []
      fired.replaceChildren(
        rows(
          found
            .slice(0, MAX_SHOWN)
            .map(({ kind, device_name, other_name, distance, rule, at, notices = [], seen }) => [
              twoLines(
                `${[device_name, other_name].filter(Boolean).join(' and ')} · ${kind}`,
                [at, ...describeMeters(distance, rule), ...notices.map(({ way, state, reason }) => `${way} ${reason ?? state}`)].join(
                  ' · ',
                ),
              ),
              ...(seen ? [] : [badge('unread', 'plain')]),
            ]),
          'Nothing fired.',
        ),
      )
    }
    const drawMuted = async () => {
      const running = await controlPlane.silences.list()
      muted.replaceChildren(
        rows(
          running.map(({ id, devices, place, kinds, until, note: why, everyone: isForAll }) => [
            twoLines(`Until ${until}${isForAll ? ' · everyone' : ''}`, describeSilence({ devices, place, kinds, why })),
            button(context, 'End', async () => {
              await controlPlane.silences.end({ params: { id } })
              await drawMuted()
              return 'The silence ended'
            }),
          ]),
          'No silence runs.',
        ),
      )
    }
    persona.shown.addEventListener('change', () => void context.run(drawFired))
    context.on('alert', () => void drawFired())
    context.on('clock', () => void drawMuted())
    context.fill(
      group(
        'What fired',
        line(
          persona.shown,
          button(context, 'Mark all as read', async () => {
            await controlPlane.firings.see({ body: { persona: persona.read() } })
            await drawFired()
            return 'Everything is read'
          }),
        ),
        fired,
      ),
      group(
        'Muted',
        form(context, 'Mute all alerts', [hours, everyone], async () => {
          const body = { persona: persona.read(), hours: Number(hours.read()), everyone: everyone.read() }
          const { until } = await controlPlane.silences.create({ body })
          await drawMuted()
          return `Muted until ${until}`
        }),
        note('What fires meanwhile is listed above, and nobody who is muted is told.'),
        muted,
      ),
    )
    await Promise.all([drawFired(), drawMuted()])
  },
}

/** How far two trackers were from each other, or a tracker from where it usually is. */
const describeMeters = (distance: number | null | undefined, rule: Fired['rule']) => {
  const meters = distance ?? (rule?.kind === 'unusual' ? rule.meters : undefined)
  return meters === undefined ? [] : [`${meters} m`]
}

const twoLines = (first: string, second: string) =>
  element('span', { class: 'two' }, element('strong', {}, first), element('span', {}, second))

type Conditions = { devices: number[]; place: number | null; kinds: string[]; why: string | null }

const describeSilence = ({ devices, place, kinds, why }: Conditions) =>
  [
    devices.length > 0 ? `trackers ${devices.join(', ')}` : 'all trackers',
    ...(place === null ? [] : [`place ${place}`]),
    ...(kinds.length > 0 ? [kinds.join(', ')] : []),
    ...(why === null ? [] : [why]),
  ].join(' · ')
