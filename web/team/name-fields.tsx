import { useTranslation } from 'react-i18next'
import { TEXT_LENGTH } from '#contracts/lib/constants.ts'
import { inNameOrder } from '#contracts/rules/person-name.ts'
import type { TeamUser } from '#contracts/team.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import classes from './team.module.css'

type Field = { name: string; error: string | undefined; 'aria-invalid': boolean }

export function NameFields({ field, user }: { field: (name: 'first_name' | 'last_name') => Field; user?: TeamUser }) {
  const { t, i18n } = useTranslation()
  const common = { required: true, maxLength: TEXT_LENGTH.personName, autoComplete: 'off' }
  const first = <TextField key="first" {...field('first_name')} {...common} label={t('team.firstName')} defaultValue={user?.first_name} />
  const last = <TextField key="last" {...field('last_name')} {...common} label={t('team.lastName')} defaultValue={user?.last_name} />
  return <div className={classes.names}>{inNameOrder(first, last, i18n.language)}</div>
}
