import type { ReactNode } from 'react'
import { DAY_MS } from '#contracts/rules/time.ts'
import { KINDS, TRACKER_ICONS } from '#contracts/rules/tracking/tracker.ts'
import { ClusterButton } from '#web/map/pins/cluster-button.tsx'
import type { Tally } from '#web/map/pins/clusters.ts'
import { Pin } from '#web/map/pins/pin.tsx'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { StateDot } from '#web/trackers/parts/state-dot.tsx'
import { TrackerRow } from '#web/trackers/parts/tracker-row.tsx'
import { SAMPLE_AT, sampleDevice } from '#web/trackers/sample-device.ts'
import type { TrackerState } from '#web/trackers/state.ts'
import classes from './design.module.css'
import { Samples } from './samples.tsx'

/** Of the mock server's Rex. */
export const PHOTO = 'd2d212a3eb3752f6f5e16532f6d0a57eb97a1499ebb885738be5b9d704258062'

const DOTS: readonly [TrackerState, string][] = [
  ['lost', 'Lost'],
  ['pending', 'Waiting for a change'],
  ['moving', 'Moving'],
  ['stationary', 'At rest'],
  ['silent', 'No signal, off'],
]

const PINS = [
  { caption: 'At rest', of: { kind: 'vehicle' }, group: 'rest' },
  { caption: 'Moving', of: { kind: 'vehicle', icon: 'truck' }, group: 'moving', isMoving: true, heading: 60 },
  { caption: 'Attention', of: { kind: 'cat' }, group: 'attention' },
  { caption: 'Photo', of: { kind: 'dog', photo: PHOTO }, group: 'moving' },
  { caption: 'Selected', of: { kind: 'person' }, group: 'rest', isSelected: true },
  { caption: 'Lost', of: { kind: 'bike' }, group: 'lost' },
  { caption: 'No signal', of: { kind: 'plane' }, group: 'silent' },
  { caption: 'Not in use', of: { kind: 'other' }, group: 'unused' },
] as const

const NONE: Tally = { lost: 0, attention: 0, moving: 0, rest: 0, silent: 0, unused: 0 }

const FEW = PINS.slice(0, 5).map(({ of, group }, id) => ({ id, ...of, group }))

const CLUSTERS = [
  { count: 2, tally: NONE, members: FEW.slice(0, 2), hasFaces: true },
  { count: 5, tally: NONE, members: FEW, hasFaces: true },
  { count: 8, tally: { ...NONE, attention: 2, rest: 5, silent: 1 }, members: [], hasFaces: false },
  { count: 32, tally: { ...NONE, attention: 3, moving: 9, rest: 20 }, members: [], hasFaces: false },
  { count: 200, tally: { ...NONE, attention: 10, moving: 59, rest: 110, silent: 21 }, members: [], hasFaces: false },
]

const recent = (minutes: number) => new Date(SAMPLE_AT.getTime() - minutes * 60_000).toISOString()
const NEVER_MIND = { sub_end_date: null }

const DEVICES = [
  sampleDevice({ id: 1, name: 'Rex', photo: PHOTO, status: NEVER_MIND }),
  sampleDevice({
    id: 2,
    name: 'Stolen scooter',
    kind: 'bike',
    icon: 'scooter',
    config: { mode: 7 },
    status: { ...NEVER_MIND, battery: 61, last_address: 'Avenida Italia 3035, Parque Batlle' },
  }),
  sampleDevice({
    id: 3,
    name: 'Van 01',
    kind: 'vehicle',
    status: { ...NEVER_MIND, battery: 12, stationary_since: recent(120), last_address: 'Av. 8 de Octubre 2738' },
  }),
  sampleDevice({
    id: 4,
    name: 'Boat',
    kind: 'other',
    icon: 'boat',
    status: {
      ...NEVER_MIND,
      last_position: { lat: -34.9, lng: -56.16, precision: 20, datetime: recent((4 * DAY_MS) / 60_000) },
      last_address: 'Puerto del Buceo',
    },
  }),
]

const DENSITIES = [60, 44, 32]

/** A place for something that the map would place by its middle. */
const Spot = ({ children }: { children: ReactNode }) => (
  <li>
    <span>{children}</span>
  </li>
)

export const TrackerSamples = () => (
  <>
    <Samples title="States" lead="A dot and a word, never the colour alone.">
      {() => (
        <ul className={classes.line}>
          {DOTS.map(([state, words]) => (
            <li key={state} className={classes.state}>
              <StateDot state={state} />
              {words}
            </li>
          ))}
        </ul>
      )}
    </Samples>
    <Samples title="Discs" lead="The colour is that of the kind; owners choose a photo or an icon of their own.">
      {() => (
        <>
          <div className={classes.line}>
            {KINDS.map((kind) => (
              <KindDisc key={kind} of={{ kind }} />
            ))}
            <KindDisc of={{ kind: 'dog', photo: PHOTO }} />
          </div>
          <div className={classes.line}>
            {TRACKER_ICONS.map((icon) => (
              <KindDisc key={icon} of={{ kind: 'other', icon }} size={32} />
            ))}
          </div>
        </>
      )}
    </Samples>
    <Samples title="Pins and clusters" lead="The ring is the state. A lost tracker is above all others and never in a cluster.">
      {() => (
        <>
          <ul className={classes.spots} data-map>
            {PINS.map(({ caption, ...pin }) => (
              <Spot key={caption}>
                <Pin label={caption} caption={caption} {...pin} />
              </Spot>
            ))}
          </ul>
          <ul className={classes.spots} data-map>
            {CLUSTERS.map((cluster) => (
              <Spot key={cluster.count}>
                <ClusterButton group={cluster} label={`${cluster.count} trackers`} />
              </Spot>
            ))}
          </ul>
        </>
      )}
    </Samples>
    <Samples title="Rows of trackers" lead="60 px on a phone, 44 px on a desk, 32 px for those who want to see all of them.">
      {() =>
        DENSITIES.map((density) => (
          <div key={density}>
            <p className={classes.dim}>{density} px</p>
            {DEVICES.map((device) => (
              <TrackerRow key={device.id} device={device} now={SAMPLE_AT} density={density} />
            ))}
          </div>
        ))
      }
    </Samples>
  </>
)
