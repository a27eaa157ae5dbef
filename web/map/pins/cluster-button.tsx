import type { CSSProperties } from 'react'
import { type Face, FaceIcon, kindColour } from '#web/trackers/parts/kind-icon.tsx'
import { STATE_GROUPS, type StateGroup } from '#web/trackers/state.ts'
import { FACES, type Group, ringRadius, type Tally } from './clusters.ts'
import classes from './pins.module.css'

type Member = Face & { id: number; group: StateGroup }

type Props = {
  group: Pick<Group<Member>, 'count' | 'tally' | 'members' | 'hasFaces'>
  label: string
  isExpanded?: boolean | undefined
  onClick?: () => void
  onEscape?: () => void
}

/** The icons of the few members of a group, or their number in a ring that is divided among their states. */
export const ClusterButton = ({ group: { count, tally, members, hasFaces }, label, isExpanded, onClick, onEscape }: Props) => (
  <button
    type="button"
    className={hasFaces ? classes.faces : classes.ring}
    style={hasFaces ? undefined : ringStyle(count, tally)}
    aria-label={label}
    aria-expanded={isExpanded}
    onClick={onClick}
    onKeyDown={({ key }) => key === 'Escape' && onEscape?.()}
  >
    {hasFaces ? <Faces members={members} count={count} /> : <span>{count}</span>}
  </button>
)

function Faces({ members, count }: { members: readonly Member[]; count: number }) {
  const shown = count > FACES + 1 ? FACES : FACES + 1
  return (
    <>
      {members.slice(0, shown).map((member) => (
        <i key={member.id} style={{ '--k': kindColour(member.kind) } as CSSProperties} data-group={member.group}>
          <FaceIcon of={member} size={17} />
        </i>
      ))}
      {count > shown && <i>+{count - shown}</i>}
    </>
  )
}

const RING_COLOURS: Record<StateGroup, string> = {
  lost: 'var(--bad)',
  attention: 'var(--warn)',
  moving: 'var(--ok)',
  rest: 'var(--rest)',
  silent: 'var(--line)',
  unused: 'var(--line)',
}

/** The ring is divided among the states, clockwise from the top, with gaps between them. */
function ringStyle(count: number, tally: Tally): CSSProperties {
  const parts = STATE_GROUPS.filter((group) => tally[group] > 0)
  let from = 0
  const gap = parts.length > 1 ? 2 : 0
  const stops = parts.map((group) => {
    const start = from
    from += (360 * tally[group]) / count
    return `var(--bg) ${start}deg ${start + gap}deg, ${RING_COLOURS[group]} ${start + gap}deg ${from}deg`
  })
  return { '--size': `${2 * Math.round(ringRadius(count))}px`, backgroundImage: `conic-gradient(${stops.join(', ')})` } as CSSProperties
}
