import { dotLook, type TrackerState } from '#web/trackers/state.ts'
import classes from './state-dot.module.css'

/** A mark beside the words of a state, which carry the meaning. */
export const StateDot = ({ state }: { state: TrackerState }) => (
  <span className={classes.dot} data-look={dotLook(state)} aria-hidden="true" />
)
