import { Button } from '@mantine/core'
import { IconMapPinOff, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { config } from '#web/lib/config.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { Empty } from '#web/ui/feedback/notice.tsx'

/** Link to the first steps with a new tracker, if the backend and the user's role allow one. */
function AddButton() {
  const { t } = useTranslation()
  const isOwner = useHasRight('ownTrackers')
  if (!useFeature('trackers') || !isOwner) return null
  return (
    <Button component={Link} to="/?start=kind" h={44} leftSection={<IconPlus size={18} />}>
      {t('title.trackerAdd')}
    </Button>
  )
}

/** Replaces the list of trackers when there are none. */
export function NoTracker() {
  const { t } = useTranslation()
  const { supportEmail } = config()
  const next = (
    <>
      <AddButton />
      {supportEmail && (
        <Button component="a" variant="default" h={44} href={`mailto:${supportEmail}`}>
          {t('trackers.support')}
        </Button>
      )}
    </>
  )
  return (
    <Empty icon={<IconMapPinOff size={30} />} title={t('trackers.none')} action={next}>
      {t('trackers.noneLead')}
    </Empty>
  )
}
