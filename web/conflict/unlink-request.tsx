import { Button } from '@mantine/core'
import { IconMailCheck, IconRosetteDiscountCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { type Conflict, printedNumber } from './saved-conflict.ts'
import type { UnlinkResult } from './use-unlink-request.ts'

export function UnlinkResultNotice({ known, result: { reference, status, email } }: { known: Conflict; result: UnlinkResult }) {
  const { t } = useTranslation()
  if (status === 'accepted') {
    return (
      <Notice
        role="status"
        icon={<IconRosetteDiscountCheck size={30} />}
        title={t('add.conflict.accepted')}
        action={
          <Button component={Link} to={`/trackers/add?identifier=${printedNumber(known)}`} size="md">
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
