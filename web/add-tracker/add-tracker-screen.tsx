import { Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useHasRight } from '#web/signed-in/use-has-right.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { AddForm } from './add-form.tsx'

/** Adds a tracker by its number. Team members only see assigned trackers and cannot add any. */
export default function AddTrackerScreen() {
  const { t } = useTranslation()
  useSuspenseQuery(sessionQuery())
  const mayAdd = useHasRight('ownTrackers')
  return (
    <Page isNarrow title={t('title.trackerAdd')} back={{ to: '/trackers', label: t('trackers.heading') }} lead={mayAdd && t('add.lead')}>
      {mayAdd ? <AddForm /> : <NotAllowed />}
    </Page>
  )
}

function NotAllowed() {
  const { t } = useTranslation()
  return (
    <Notice
      icon={<IconUsers size={30} />}
      title={t('add.notAllowed')}
      action={
        <Button component={Link} to="/trackers" variant="default">
          {t('trackers.heading')}
        </Button>
      }
    >
      {t('add.notAllowedLead')}
    </Notice>
  )
}
