import type { CLOCK_EVENTS } from '#contracts/mock/clock.ts'
import { controlPlane } from '#server/mock/panel/parts/control-plane.ts'
import { button, form, group, line, note, text } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import type { Tab, TabContext } from '#server/mock/panel/parts/tab.ts'

type State = Awaited<ReturnType<typeof controlPlane.clock.read>>
type Leap = Awaited<ReturnType<typeof controlPlane.clock.advance>>
type Kind = (typeof CLOCK_EVENTS)[number]

const SPANS = { PT5M: '5 minutes', PT1H: '1 hour', P1D: '1 day', P7D: '7 days', P30D: '30 days' }
const KINDS: Record<Kind, string> = {
  position: 'Position',
  mode_applied: 'Mode applied',
  renewal: 'Renewal',
  subscription_reminder: 'Reminder of a subscription',
  subscription_end: 'End of a subscription',
  link_end: 'End of a link',
  boost_end: 'End of a boost',
  quiet_end: 'End of quiet hours',
  rule_due: 'Alert without a message',
  network_silence: 'Tracker silent for too long',
}
const MAX_SHOWN = 6

export const clock: Tab = {
  id: 'clock',
  title: 'Clock',
  async show(context) {
    const now = element('p', { class: 'now' })
    let state = await controlPlane.clock.read()
    let readAt = performance.now()
    const draw = () => now.replaceChildren(element('strong', {}, currentTime(state, performance.now() - readAt)), paceLabel(state))
    const update = (next: State) => {
      state = next
      readAt = performance.now()
      draw()
    }
    const pace = (label: string, body: { mode: State['mode']; rate?: number }) =>
      button(context, label, async () => update(await controlPlane.clock.put({ body })))
    const by = text('By (ISO 8601)', { value: 'P3D', size: '8', required: true })

    context.on('clock', (event) => update(event as State))
    context.fill(
      group(
        'Now',
        now,
        line(pace('Freeze', { mode: 'frozen' }), pace('Flow', { mode: 'flow', rate: 1 }), pace('×60', { mode: 'flow', rate: 60 })),
      ),
      group(
        'Advance by',
        line(...Object.entries(SPANS).map(([span, label]) => button(context, label, () => advance(context, span)))),
        form(context, 'Advance', [by], () => advance(context, by.read())),
      ),
      group(
        'Jump to the next',
        note('Everything due on the way is played in order of time.'),
        line(
          ...Object.entries(KINDS).map(([event, label]) =>
            button(context, label, async () =>
              reloadWithResult(context, await controlPlane.clock.until({ body: { event: event as Kind } })),
            ),
          ),
        ),
      ),
    )
    draw()
    const timer = setInterval(() => (context.isShown() ? draw() : clearInterval(timer)), 1000)
  },
}

const advance = async (context: TabContext, by: string) => reloadWithResult(context, await controlPlane.clock.advance({ body: { by } }))

function reloadWithResult(context: TabContext, { from, to, positions, fired }: Leap) {
  const shown = fired.slice(0, MAX_SHOWN).map(({ kind, ref }) => `${kind} ${ref}`)
  const rest = fired.length > MAX_SHOWN ? [`${fired.length - MAX_SHOWN} more`] : []
  context.reload([`${formatInstant(from)} → ${formatInstant(to)}`, `${positions} positions`, ...shown, ...rest].join(', '))
}

const currentTime = ({ now, mode, rate }: State, ms: number) =>
  formatInstant(new Date(Date.parse(now) + (mode === 'flow' ? ms * rate : 0)).toISOString())

const paceLabel = ({ mode, rate }: State) => (mode === 'frozen' ? 'stands still' : rate === 1 ? 'goes by' : `goes by ×${rate}`)

const formatInstant = (instant: string) => `${instant.slice(0, 19).replace('T', ' ')} UTC`
