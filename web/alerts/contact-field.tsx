import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { MultiChoice } from '#web/ui/form/multi-choice.tsx'
import classes from './alert.module.css'
import { contactsQuery } from './contacts.queries.ts'

type Props = {
  field: { name: string; error: string | undefined }
  value: readonly number[]
  onChange: (value: number[]) => void
  onAdd: () => void
}

export function ContactField({ field: { name, error }, value, onChange, onAdd }: Props) {
  const { t } = useTranslation()
  const contacts = useSuspenseQuery(contactsQuery()).data
  return (
    <MultiChoice
      name={name}
      error={error}
      legend={t('alerts.whom')}
      required
      needed={t('alerts.whomNeeded')}
      value={value}
      onChange={onChange}
      options={contacts.map(({ id, name: label, email }) => ({ id, label, hint: email }))}
    >
      {contacts.length === 0 && <p className={classes.hint}>{t('contacts.none')}</p>}
      <Button variant="default" h={44} leftSection={<IconPlus size={18} />} className={classes.add ?? ''} onClick={onAdd}>
        {t('contacts.add')}
      </Button>
    </MultiChoice>
  )
}
