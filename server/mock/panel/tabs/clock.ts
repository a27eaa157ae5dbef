import type { CLOCK_EVENTS } from '#contracts/mock/clock.ts'
import type { Desk, Tab } from '#server/mock/panel/parts/desk.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { button, form, group, line, note, text } from '#server/mock/panel/parts/parts.ts'
import { server } from '#server/mock/panel/parts/server.ts'

type State = Awaited<ReturnType<typeof server.clock.read>>
type Leap = Awaited<ReturnType<typeof server.clock.advance>>
type Kind = (typeof CLOCK_EVENTS)[number]

const SPANS = { PT5M: '5 minutes', PT1H: '1 hour', P1D: '1 day', P7D: '7 days', P30D: '30 days' }
const KINDS: Record<Kind, string> = {
  position: 'Position',
  mode_applied: 'Mode applied',
  link_expiry: 'End of a link',
  renewal: 'Renewal',
  sub_end: 'End of a subscription',
}
/** As many entries as can be read at a glance. */
const SHOWN = 6

export const clock: Tab = {
  id: 'clock',
  title: 'Clock',
  async show(desk) {
    const now = element('p', { class: 'now' })
    let state = await server.clock.read()
    let asked = performance.now()
    const tell = () => now.replaceChildren(element('strong', {}, timeOf(state, performance.now() - asked)), paceOf(state))
    const take = (told: State) => {
      state = told
      asked = performance.now()
      tell()
    }
    const pace = (label: string, body: { mode: State['mode']; rate?: number }) =>
      button(desk, label, async () => take(await server.clock.put({ body })))
    const by = text('By (ISO 8601)', { value: 'P3D', size: '8', required: true })

    desk.hear('clock', (told) => take(told as State))
    desk.fill(
      group(
        'Now',
        now,
        line(pace('Freeze', { mode: 'frozen' }), pace('Flow', { mode: 'flow', rate: 1 }), pace('×60', { mode: 'flow', rate: 60 })),
      ),
      group(
        'Advance by',
        line(...Object.entries(SPANS).map(([span, label]) => button(desk, label, () => advance(desk, span)))),
        form(desk, 'Advance', [by], () => advance(desk, by.read())),
      ),
      group(
        'Jump to the next',
        note('What falls due on the way happens, in order of time.'),
        line(
          ...Object.entries(KINDS).map(([event, label]) =>
            button(desk, label, async () => land(desk, await server.clock.until({ body: { event: event as Kind } }))),
          ),
        ),
      ),
    )
    tell()
    const timer = setInterval(() => (desk.isShown() ? tell() : clearInterval(timer)), 1000)
  },
}

const advance = async (desk: Desk, by: string) => land(desk, await server.clock.advance({ body: { by } }))

function land(desk: Desk, { from, to, positions, fired }: Leap) {
  const shown = fired.slice(0, SHOWN).map(({ kind, ref }) => `${kind} ${ref}`)
  const rest = fired.length > SHOWN ? [`${fired.length - SHOWN} more`] : []
  desk.reload([`${shortly(from)} → ${shortly(to)}`, `${positions} positions`, ...shown, ...rest].join(', '))
}

const timeOf = ({ now, mode, rate }: State, ms: number) =>
  shortly(new Date(Date.parse(now) + (mode === 'flow' ? ms * rate : 0)).toISOString())

const paceOf = ({ mode, rate }: State) => (mode === 'frozen' ? 'stands still' : rate === 1 ? 'goes by' : `goes by ×${rate}`)

const shortly = (instant: string) => `${instant.slice(0, 19).replace('T', ' ')} UTC`
