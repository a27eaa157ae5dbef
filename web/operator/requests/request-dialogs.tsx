import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { operatorApi } from '#contracts/operator/index.ts'
import type { OwnerRequest } from '#contracts/operator/requests.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { CUSTOMERS_KEY } from '#web/operator/session/customers-key.ts'
import { requestsApi } from '#web/operator/session/operator.api.ts'
import { TextAreaField } from '#web/ui/form/text-area-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { REQUESTS_KEY } from './requests.queries.ts'

type Props = { request: OwnerRequest; onClose: () => void }

/** Says what was decided, and reads requests and customers again. */
function useDecided() {
  const queries = useQueryClient()
  return async (done: string) => {
    showToast(done)
    await Promise.all([REQUESTS_KEY, CUSTOMERS_KEY].map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
}

function useRefusal() {
  const { t } = useTranslation()
  return ({ code }: ApiError) => {
    const known = (['already_decided', 'reported_missing'] as const).find((each) => each === code)
    return known && t(`operator.requests.failures.${known}`)
  }
}

export function AcceptDialog({ request: { reference, identifier }, onClose }: Props) {
  const { t } = useTranslation()
  const decided = useDecided()
  const accept = async () => {
    await requestsApi.accept({ params: { reference } })
    await decided(t('operator.requests.accepted', { reference }))
  }
  return (
    <ConfirmDialog
      title={t('operator.requests.acceptAsk', { identifier })}
      action={t('operator.requests.acceptDo')}
      isDanger
      onConfirm={accept}
      onClose={onClose}
      failure={useRefusal()}
    >
      {t('operator.requests.acceptLead')}
    </ConfirmDialog>
  )
}

export function RefuseDialog({ request: { reference }, onClose }: Props) {
  const { t } = useTranslation()
  const decided = useDecided()
  const form = useForm({
    schema: operatorApi.ownerRequests.refuse.body,
    submit: async (body) => {
      await requestsApi.refuse({ params: { reference }, body })
      onClose()
      await decided(t('operator.requests.refused', { reference }))
    },
    failure: useRefusal(),
  })
  return (
    <FormDialog
      title={t('operator.requests.refuseTitle', { reference })}
      lead={t('operator.requests.refuseLead')}
      of={form}
      action={t('operator.requests.refuseDo')}
      onClose={onClose}
    >
      <TextAreaField {...form.field('reason')} required maxLength={TEXT_LENGTH.message} label={t('operator.requests.reason')} />
    </FormDialog>
  )
}
