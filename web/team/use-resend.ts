import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { TeamUser } from '#contracts/team.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { calls } from './team.calls.ts'
import { teamQuery } from './team.queries.ts'

/** Sends the invitation again; the server refuses if the user has already signed up. */
export function useResend({ id, email }: TeamUser) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => calls.resendInvitation({ params: { id }, body: {} }),
    onSuccess: () => showToast(t('team.resent', { email })),
    onError: () => void queries.invalidateQueries({ queryKey: teamQuery().queryKey }),
  })
  const isShown = error instanceof ApiError && !error.isLeaving
  const sentence = error instanceof ApiError && error.code === 'already_active' ? t('team.already_active') : t('error.general')
  return { resend: () => mutate(), isBusy: isPending, problem: isShown ? sentence : null }
}
