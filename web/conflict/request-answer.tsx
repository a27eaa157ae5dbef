import { Button } from '@mantine/core'
import { IconMailCheck, IconRosetteDiscountCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Notice } from '#web/ui/notice.tsx'
import type { Asked } from './ask-unlink.ts'
import { type Conflict, numberOf } from './saved-conflict.ts'

/** Result of an unlink request: accepted, or waiting for support. */
export function RequestAnswer({ known, asked: { reference, status, email } }: { known: Conflict; asked: Asked }) {
  const { t } = useTranslation()
  if (status === 'accepted') {
    return (
      <Notice
        role="status"
        icon={<IconRosetteDiscountCheck size={30} />}
        title={t('add.conflict.accepted')}
        action={
          <Button component={Link} to={`/trackers/add?identifier=${numberOf(known)}`} size="md">
            {t('add.conflict.addNow')}
          </Button>
        }
      >
        {t('add.conflict.acceptedLead', { reference })}
      </Notice>
    )
  }
  return (
    <Notice
      role="status"
      icon={<IconMailCheck size={30} />}
      title={t('add.conflict.sent')}
      action={
        <Button component={Link} to="/trackers" variant="default">
          {t('trackers.heading')}
        </Button>
      }
    >
      {t('add.conflict.sentLead', { reference, email })}
    </Notice>
  )
}
