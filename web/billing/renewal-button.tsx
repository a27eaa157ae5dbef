import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { HeldSubscription } from '#contracts/subscriptions.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { StopRenewing } from './stop-renewing.tsx'
import { useRenewal } from './use-renewal.ts'

type Props = { held: HeldSubscription; name: string }

/** Cancels a recurring subscription at the end of the paid period, or resumes it before then. */
export function RenewalButton({ held, name }: Props) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  if (!held.renewal) return null
  if (held.renewal.cancel_at_period_end) return <ResumeButton held={held} name={name} />
  const label = t('subscriptions.stop')
  return (
    <>
      <Button variant="default" h={44} aria-label={`${label}: ${name}`} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && <StopRenewing held={held} together={held.renewal.devices} onClose={() => setAsking(false)} />}
    </>
  )
}

function ResumeButton({ held, name }: Props) {
  const { t } = useTranslation()
  const change = useRenewal(held)
  const { mutate, isPending, error } = useMutation({ mutationFn: () => change(false) })
  const hasFailed = error !== null && !(error instanceof ApiError && error.isLeaving)
  const label = t('subscriptions.resume')
  return (
    <>
      <FormAlert>{hasFailed ? t('error.general') : null}</FormAlert>
      <Button variant="default" h={44} loading={isPending} aria-label={`${label}: ${name}`} onClick={() => mutate()}>
        {label}
      </Button>
    </>
  )
}
