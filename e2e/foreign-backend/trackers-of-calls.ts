import { type Call, listValues } from './calls.ts'
import type { Habits } from './habits.ts'
import { writeId } from './present.ts'
import { Refusal } from './replies.ts'
import type { State } from './state.ts'

/** The tracker of the path, if it belongs to the user. */
export function findTrackerOf({ state, user, habits, params }: Call) {
  const tracker = state.trackers.find((one) => one.ownerId === user?.id && String(writeId(one, habits)) === params.id)
  if (!tracker) throw new Refusal(404, 'No tracker matches the given query.')
  return tracker
}

/** The tracker whose id is somewhere in a body. */
export function findTrackerIn(state: State, body: unknown, habits: Habits) {
  const values = new Set(listValues(body).map(String))
  return state.trackers.find((one) => values.has(String(writeId(one, habits))))
}
