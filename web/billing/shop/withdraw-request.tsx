import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import classes from './shop.module.css'

type Props = { words: string; withdraw: () => Promise<unknown>; queryKey: readonly unknown[] }

/** An open request about a plan, which its owner can withdraw until support decides. */
export function WithdrawRequest({ words, withdraw, queryKey }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const reread = () => queries.invalidateQueries({ queryKey })
  const { mutate, isPending, error } = useMutation({
    mutationFn: withdraw,
    onSuccess: async () => {
      showToast(t('subscriptions.withdrawn'))
      await reread()
    },
  })
  const isDecided = error instanceof ApiError && error.code === 'already_decided'
  const hasFailed = error !== null && !(error instanceof ApiError && error.isLeaving)
  return (
    <div className={classes.note}>
      <p>{words}</p>
      <FormAlert>{isDecided ? t('subscriptions.withdrawFailed') : hasFailed ? t('error.general') : null}</FormAlert>
      <Button variant="default" h={44} loading={isPending} onClick={() => mutate()}>
        {t('subscriptions.withdraw')}
      </Button>
    </div>
  )
}
