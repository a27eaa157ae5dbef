import { IconFocusCentered } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTracker } from '#contracts/links.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { FloatingCard } from '#web/ui/floating-card.tsx'
import { useArrival } from './destination.tsx'
import { listShown, type Member, PublicGroupMap } from './public-group-map.tsx'
import classes from './public-group-view.module.css'
import frame from './public-link-view.module.css'
import { Freshness, Until } from './public-link-view.tsx'

/** A link to several trackers: all of them on the map and in a list. The map follows the one that is chosen. */
export function PublicGroupView({ shared }: { shared: SharedTracker }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const members = listShown(shared)
  const isAll = !members.some(({ key }) => key === chosen)
  return (
    <div className={frame.view}>
      <PublicGroupMap members={members} to={shared.destination} chosen={isAll ? null : chosen} onChoose={setChosen} />
      <FloatingCard className={`${frame.over} ${classes.card}`} label={t('title.pubTrackers')}>
        <header>
          <h1>{shared.label}</h1>
          {shared.destination && <p>{t('shared.destination', { name: shared.destination.name })}</p>}
          <p>
            <Until shared={shared} />
          </p>
        </header>
        <ul className={classes.list} aria-label={t('trackers.heading')}>
          <li>
            <button type="button" aria-pressed={isAll} onClick={() => setChosen(null)}>
              <span className={classes.all}>
                <IconFocusCentered size={20} aria-hidden="true" />
              </span>
              <b>{t('home.allTrackers')}</b>
            </button>
          </li>
          {members.map((member) => (
            <li key={member.key}>
              <Choice member={member} to={shared.destination} isChosen={member.key === chosen} onChoose={setChosen} />
            </li>
          ))}
        </ul>
      </FloatingCard>
    </div>
  )
}

type Props = { member: Member; to: SharedTracker['destination']; isChosen: boolean; onChoose: (key: string) => void }

function Choice({ member, to, isChosen, onChoose }: Props) {
  const { key, tracker, last_position } = member
  const arrival = useArrival(member, to)
  return (
    <button type="button" aria-pressed={isChosen} onClick={() => onChoose(key)}>
      <KindDisc of={tracker} size={36} />
      <span className={classes.words}>
        <b>{tracker.name}</b>
        <small>
          <Freshness at={last_position} />
        </small>
        {arrival && <small>{arrival}</small>}
      </span>
    </button>
  )
}
