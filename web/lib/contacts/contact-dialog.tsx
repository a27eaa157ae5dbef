import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_LENGTH } from '#contracts/constants.ts'
import { type Contact, contacts as contract } from '#contracts/contacts.ts'
import { byName } from '#contracts/rules/name-order.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { RequiredLegend } from '#web/ui/required-legend.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { calls } from './calls.ts'
import classes from './contact-dialog.module.css'
import { contactsQuery } from './queries.ts'

type Props = { contact?: Contact; onSaved?: (contact: Contact) => void; onClose: () => void }

/** A new contact, or another name, address or number of one. */
export function ContactDialog({ contact, onSaved, onClose }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [isTaken, setTaken] = useState(false)
  const { form, field, isBusy, failure } = useForm({
    schema: contract.create.body,
    submit: async (body) => {
      const saved = await (contact ? calls.update({ params: { id: contact.id }, body }) : calls.create({ body })).catch(atEmail)
      queries.setQueryData(contactsQuery().queryKey, (all) => all && [...all.filter(({ id }) => id !== saved.id), saved].sort(byName))
      onSaved?.(saved)
      onClose()
    },
    words: { email: t('error.email'), phone: t('contacts.phoneBad') },
    failure: ({ status }) => (status === 404 ? t('contacts.gone') : undefined),
  })
  /** An address that another contact has is a matter of its field. */
  const atEmail = (error: unknown): never => {
    if (!(error instanceof ApiError) || error.code !== 'contact_exists') throw error
    setTaken(true)
    throw new ApiError(error.status, { code: error.code, fields: { email: ['taken'] } })
  }
  const email = field('email')
  return (
    <Dialog title={contact ? t('contacts.edit') : t('contacts.add')} onClose={onClose}>
      <form {...form} className={classes.form}>
        <FormAlert>{failure}</FormAlert>
        <TextField
          {...field('name')}
          label={t('trackers.name')}
          required
          maxLength={TEXT_LENGTH.personName}
          autoComplete="off"
          defaultValue={contact?.name}
        />
        <TextField
          {...email}
          error={isTaken ? t('contacts.exists') : email.error}
          onInput={() => setTaken(false)}
          label={t('reset.email')}
          required
          type="email"
          autoComplete="off"
          defaultValue={contact?.email}
        />
        <TextField
          {...field('phone')}
          label={t('contacts.phone')}
          type="tel"
          maxLength={TEXT_LENGTH.phone}
          autoComplete="off"
          defaultValue={contact?.phone ?? ''}
        />
        <RequiredLegend />
        <div className={classes.buttons}>
          <Button variant="default" h={44} onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" h={44} loading={isBusy}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
