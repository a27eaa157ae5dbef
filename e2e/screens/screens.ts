import type { RouteName } from '#web/lib/navigation/routing.ts'
import { account } from './account.ts'
import { app } from './app.ts'
import { map } from './map.ts'
import { money } from './money.ts'
import { operator } from './operator.ts'
import { places } from './places.ts'
import type { Screen } from './screen.ts'
import { sharing } from './sharing.ts'
import { history, tracker } from './tracker.ts'
import { trackers } from './trackers.ts'

export type { Screen } from './screen.ts'

export const groups = { map, tracker, history, trackers, places, sharing, money, account, app, operator }

export const screens = Object.values(groups).flat()

/** Screens without data. They send no request, so they are the same with every backend. */
export const WITHOUT_DATA = new Set<RouteName>([
  ...(['contactUs', 'startTrackApp', 'startSdcApp', 'installRestart', 'installQuit', 'deepLink'] as const),
  ...(['nativeFindmy', 'nativeRtb', 'appNeedsUpdate', 'devUi', 'error', 'notFound'] as const),
])

/** Names a picture; must stay stable, as pictures are compared by name. */
export const nameOf = ({ name, state }: Screen) => (state ? `${name}-${state}` : name)
