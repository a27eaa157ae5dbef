import { Button } from '@mantine/core'
import { IconChevronRight, IconMapPinQuestion } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './conflict.module.css'
import { type Conflict, conflict } from './saved-conflict.ts'

type Props = { title: string; back: { to: string; label: string }; children: (known: Conflict) => ReactNode }

/** A page of the conflict flow. Without a stored conflict it links to adding a tracker. */
export function ConflictPage({ title, back, children }: Props) {
  const [known, setKnown] = useState<Conflict | null>()
  useEffect(() => void conflict.restore().then(setKnown), [])
  if (known === undefined) return null
  return known ? (
    <Page isNarrow title={title} back={back}>
      {children(known)}
    </Page>
  ) : (
    <NoConflict />
  )
}

function NoConflict() {
  const { t } = useTranslation()
  const canAdd = useFeature('trackers')
  return (
    <Notice
      isPage
      icon={<IconMapPinQuestion size={30} />}
      title={t('add.conflict.none')}
      action={
        canAdd && (
          <Button component={Link} to="/trackers/add" size="md">
            {t('title.trackerAdd')}
          </Button>
        )
      }
    >
      {t('add.conflict.noneLead')}
    </Notice>
  )
}

export const OptionLink = ({ to, icon, label, hint }: { to: string; icon: ReactNode; label: string; hint: string }) => (
  <Link to={to} className={classes.way}>
    {icon}
    <span>
      {label}
      <small>{hint}</small>
    </span>
    <IconChevronRight size={18} aria-hidden="true" />
  </Link>
)
