import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { stockApi } from '#web/operator/session/operator.api.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { STOCK_KEY } from './stock.queries.ts'

export type Blocking = { identifiers: readonly string[]; isBlocked: boolean }
type Props = Blocking & { onClose: () => void }

export const BlockDialog = ({ isBlocked, ...props }: Props) => (isBlocked ? <Block {...props} /> : <Unblock {...props} />)

type OneProps = Omit<Props, 'isBlocked'>

const NAMED = 3
/** The most items that a call takes. */
const A_CALL = 100

const nameItems = (identifiers: readonly string[]) =>
  [...identifiers.slice(0, NAMED), ...(identifiers.length > NAMED ? ['…'] : [])].join(', ')

async function inCalls(identifiers: readonly string[], send: (some: string[]) => Promise<unknown>) {
  for (let start = 0; start < identifiers.length; start += A_CALL) await send(identifiers.slice(start, start + A_CALL))
}

function Block({ identifiers, onClose }: OneProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const subject = nameItems(identifiers)
  const form = useForm({
    schema: z.object({ reason: Text(0, TEXT_LENGTH.address) }),
    submit: async ({ reason }) => {
      await inCalls(identifiers, (some) => stockApi.block({ body: { identifiers: some, reason } }).catch(ignoreGone))
      showToast(t('operator.stock.blocked', { subject }))
      onClose()
      await queries.invalidateQueries({ queryKey: STOCK_KEY })
    },
  })
  return (
    <FormDialog
      title={t('operator.stock.blockOf', { subject })}
      lead={t('operator.stock.blockLead')}
      of={form}
      action={t('operator.stock.block')}
      onClose={onClose}
    >
      <TextField {...form.field('reason')} label={t('operator.stock.reason')} maxLength={TEXT_LENGTH.address} autoComplete="off" />
    </FormDialog>
  )
}

function Unblock({ identifiers, onClose }: OneProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const subject = nameItems(identifiers)
  const unblock = async () => {
    await inCalls(identifiers, (some) => stockApi.unblock({ body: { identifiers: some } }).catch(ignoreGone))
    showToast(t('operator.stock.unblocked', { subject }))
    await queries.invalidateQueries({ queryKey: STOCK_KEY })
  }
  return (
    <ConfirmDialog
      title={t('operator.stock.unblockOf', { subject })}
      action={t('operator.stock.unblock')}
      onConfirm={unblock}
      onClose={onClose}
    >
      {t('operator.stock.unblockLead')}
    </ConfirmDialog>
  )
}
