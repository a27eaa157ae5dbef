import * as z from 'zod/mini'
import { controlPlane } from '#server/mock/panel/parts/control-plane.ts'
import { button, checkbox, choice, form, group, line, note, text } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import type { Tab } from '#server/mock/panel/parts/tab.ts'

type Tracker = Awaited<ReturnType<typeof controlPlane.sim.read>>['trackers'][number]
type DriveBody = Parameters<typeof controlPlane.sim.drive>[0]['body']
type Learnt = Awaited<ReturnType<typeof controlPlane.sim.learn>>
type Receipt = Awaited<ReturnType<typeof controlPlane.sim.communicate>>

const Places = z.array(z.object({ id: z.int(), name: z.string(), lat: z.number(), lng: z.number(), radius: z.number() }))

const Points = z.array(z.object({ id: z.int(), lat: z.nullable(z.number()), lng: z.nullable(z.number()) }))

const METRES_PER_DEGREE = 111_320
/** Far enough beyond the border to count as outside despite hysteresis and accuracy. */
const BEYOND_METRES = 500

/** A drive among high buildings: fixes wrong by metres, and some by kilometres. */
const BAD_RECEPTION = { noise: 10, jumps: 0.1, every_seconds: 10 }

export const fleet: Tab = {
  id: 'fleet',
  title: 'Fleet',
  async show(context) {
    const [{ trackers }, found] = await Promise.all([controlPlane.sim.read(), controlPlane.entities.list({ params: { type: 'places' } })])
    const places = Places.parse(found)
    const names = trackers.filter(({ identifier }) => identifier !== '').map(({ id, name }) => [String(id), name] as const)
    const tracker = choice('Tracker', names)
    const other = choice('Another tracker', names)
    const mine = () => ({ params: { id: Number(tracker.read()) } })
    const address = text('To', { value: 'Ellauri 350', size: '16', required: true })
    const speed = text('km/h', { value: '30', inputmode: 'decimal', size: '4', required: true })
    const isWrong = checkbox('with wrong positions')
    const place = choice(
      'Place',
      places.map(({ id, name }) => [String(id), name]),
    )
    const battery = text('Battery, %', { value: '8', inputmode: 'decimal', size: '4', required: true })
    const state = element('p', { class: 'note' })
    const tell = async () => {
      const one = (await controlPlane.sim.read()).trackers.find(({ id }) => id === mine().params.id)
      state.replaceChildren(one ? formatState(one) : '')
    }
    tracker.shown.addEventListener('change', () => void context.run(tell))

    const drive = async (body: DriveBody) => {
      const { metres, ends_at } = await controlPlane.sim.drive({ ...mine(), body })
      await tell()
      return `${metres} m, there at ${ends_at}`
    }
    const reportAt = async (metresOf: (radius: number) => number) => {
      const { lat, lng, radius } = places.find(({ id }) => String(id) === place.read())!
      return formatReceipt(await controlPlane.sim.position({ ...mine(), body: { lat: lat + metresOf(radius) / METRES_PER_DEGREE, lng } }))
    }

    context.fill(
      group('Tracker', line(tracker.shown), state),
      group(
        'Drive',
        form(context, 'Drive', [address, speed, isWrong], () =>
          drive({ route: [address.read()], speed_kmh: Number(speed.read()), ...(isWrong.read() && BAD_RECEPTION) }),
        ),
        line(
          other.shown,
          button(context, 'Drive to it', async () => {
            const rows = Points.parse(await controlPlane.entities.list({ params: { type: 'trackers' } }))
            const { lat, lng } = rows.find(({ id }) => String(id) === other.read())!
            if (lat === null || lng === null) return 'That tracker has no position'
            return drive({ points: [{ lat, lng }], speed_kmh: Number(speed.read()) })
          }),
        ),
        note('The tracker moves as the time of the world passes.'),
      ),
      group(
        'Cross a geofence',
        line(
          place.shown,
          button(context, 'Into it', () => reportAt(() => 0)),
          button(context, 'Out of it', () => reportAt((radius) => radius + BEYOND_METRES)),
        ),
      ),
      group(
        'Where it usually is',
        button(context, 'Learn now', async () => formatLearnt(await controlPlane.sim.learn(mine()))),
        note('From its positions until now. An alert with the rule “unusual” fires somewhere else.'),
      ),
      group(
        'Radio',
        form(context, 'Drain battery', [battery], async () =>
          formatReceipt(await controlPlane.sim.event({ ...mine(), body: { type: 'low_battery', battery: Number(battery.read()) } })),
        ),
        line(
          button(context, 'Call in', async () => formatReceipt(await controlPlane.sim.communicate(mine()))),
          ...[['Silent for a day', 'P1D'] as const, ['Silent for good', undefined] as const, ['Speak again', 'PT0S'] as const].map(
            ([label, span]) =>
              button(context, label, async () => {
                await controlPlane.sim.silence({ ...mine(), body: span ? { for: span } : {} })
                await tell()
              }),
          ),
        ),
        note('Calling in applies a pending mode.'),
      ),
    )
    await tell()
  },
}

const formatReceipt = ({ accepted, ignored, refused }: Receipt) =>
  [`accepted: ${accepted}`, `ignored: ${ignored}`, ...(refused ?? []).map(({ reason }) => reason)].join(', ')

const formatLearnt = ({ ready_from, places, ways, cells }: Learnt) =>
  ready_from === null
    ? `${places.length} places, ${ways.length} ways, ${cells.length} squares`
    : `Too few days: enough from ${ready_from} on`

function formatState({ identifier, silent_until, drive_ends_at }: Tracker) {
  const silent = silent_until && (silent_until.startsWith('9999') ? 'silent for good' : `silent until ${silent_until}`)
  return [identifier, drive_ends_at && `drives until ${drive_ends_at}`, silent].filter(Boolean).join(' · ')
}
