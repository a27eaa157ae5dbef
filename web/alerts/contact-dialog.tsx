import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Contact, contacts as contract } from '#contracts/contacts.ts'
import { ACCOUNT_LIMITS } from '#contracts/limits/account-limits.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { byName } from '#contracts/rules/text.ts'
import { showToast } from '#web/lib/toasts.ts'
import { AddressField, RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { contactsApi, contactsQuery } from './alerts.queries.ts'

type Props = { contact?: Contact; isInPlace?: boolean; onSaved?: (contact: Contact) => void; onClose: () => void }

export function ContactDialog({ contact, isInPlace = false, onSaved, onClose }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const form = useForm({
    schema: contract.create.body,
    submit: async (body) => {
      const saved = await (contact ? contactsApi.update({ params: { id: contact.id }, body }) : contactsApi.create({ body }))
      queries.setQueryData(contactsQuery().queryKey, (all) => all && [...all.filter(({ id }) => id !== saved.id), saved].sort(byName))
      if (contact) showToast(t('form.saved'))
      onSaved?.(saved)
      onClose()
    },
    words: { email: t('error.email'), phone: t('contacts.phoneBad') },
    failure: ({ code, status }) => {
      if (code === 'contact_exists') return { email: t('contacts.exists') }
      if (code === 'limit_reached') return t('limit.contacts', { n: ACCOUNT_LIMITS.contacts })
      return status === 404 ? t('contacts.gone') : undefined
    },
  })
  return (
    <FormDialog title={contact ? t('contacts.edit') : t('contacts.add')} of={form} isInPlace={isInPlace} onClose={onClose}>
      <TextField
        {...form.field('name')}
        label={t('trackers.name')}
        required
        maxLength={TEXT_LENGTH.personName}
        autoComplete="off"
        defaultValue={contact?.name}
      />
      <AddressField {...form.field('email')} label={t('reset.email')} required autoComplete="off" defaultValue={contact?.email} />
      <TextField
        {...form.field('phone')}
        label={t('contacts.phone')}
        type="tel"
        maxLength={TEXT_LENGTH.phone}
        autoComplete="off"
        defaultValue={contact?.phone ?? ''}
      />
      <RequiredLegend />
    </FormDialog>
  )
}
