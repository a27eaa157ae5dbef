import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useBillingPortal } from './provider-page.ts'

export function ManageButton({ name }: { name: string }) {
  const { t } = useTranslation()
  const portal = useBillingPortal()
  return (
    <>
      <FormAlert>{portal.hasFailed ? t('error.general') : null}</FormAlert>
      <Button
        variant="default"
        h={44}
        loading={portal.isOpening}
        onClick={portal.open}
        aria-label={`${t('subscriptions.manage')}: ${name}`}
      >
        {t('subscriptions.manage')}
      </Button>
    </>
  )
}
