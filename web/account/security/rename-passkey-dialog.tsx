import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PASSKEY_NAME_LENGTH, type Passkey, passkeys } from '#contracts/accounts/second-factor.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { passkeysApi, secondFactorQuery } from './second-factor.queries.ts'

export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const form = useForm({
    schema: passkeys.rename.body,
    submit: async (body) => {
      await passkeysApi.rename({ params: { id: passkey.id }, body })
      await queries.invalidateQueries({ queryKey: secondFactorQuery().queryKey })
      onClose()
    },
  })
  return (
    <FormDialog title={t('account.factor.renamePasskey', { name: passkey.name })} of={form} onClose={onClose}>
      <TextField
        {...form.field('name')}
        label={t('account.factor.passkeyName')}
        required
        maxLength={PASSKEY_NAME_LENGTH}
        autoComplete="off"
        defaultValue={passkey.name}
      />
    </FormDialog>
  )
}
