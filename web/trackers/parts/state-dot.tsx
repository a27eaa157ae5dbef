import { dotLook, type TrackerState } from '#web/trackers/state.ts'
import classes from './state-dot.module.css'

/** Decorates the text of a state, which contains the meaning. */
export const StateDot = ({ state }: { state: TrackerState }) => (
  <span className={classes.dot} data-look={dotLook(state)} aria-hidden="true" />
)
