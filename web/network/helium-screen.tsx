import { Button } from '@mantine/core'
import { IconAntennaBars5 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { parseRole } from '#contracts/rules/user.ts'
import { config } from '#web/lib/config.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { useLive } from '#web/trackers/live/use-live.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { Failure } from '#web/ui/feedback/failure.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './helium.module.css'
import { HeliumTable } from './helium-table.tsx'

/** The trackers that a business operates on the Helium network. */
export default function HeliumScreen() {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(devicesQuery())
  const trackers = data?.filter(({ operator }) => operator === 'helium')
  useLive()
  return (
    <Page title={t('title.operatorsHelium')} lead={t('helium.lead')} {...(trackers?.length && { count: trackers.length })}>
      {isError && !data && <Failure retry={() => void refetch()} />}
      {!data && !isError && <SkeletonRows count={3} />}
      {trackers?.length === 0 && (
        <Empty icon={<IconAntennaBars5 size={30} />} title={t('helium.none')}>
          {t('helium.noneLead')}
        </Empty>
      )}
      {trackers && trackers.length > 0 && <HeliumTable trackers={trackers} />}
      <BusinessHint />
    </Page>
  )
}

function BusinessHint() {
  const { t } = useTranslation()
  const role = useQuery(sessionQuery()).data?.role
  const { supportEmail } = config()
  if (role === undefined || parseRole(role) !== 'user' || !supportEmail) return null
  return (
    <section className={classes.business}>
      <p>{t('helium.business')}</p>
      <Button component="a" variant="default" h={44} href={`mailto:${supportEmail}`}>
        {t('helium.contact')}
      </Button>
    </section>
  )
}
