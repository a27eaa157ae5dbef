import { useTranslation } from 'react-i18next'
import { STAFF_ROLES } from '#contracts/lib/staff-rights.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { SelectField } from '#web/ui/form/select-field.tsx'

type Props = { name: string; error: string | undefined; 'aria-invalid': boolean; role?: string }

export function RoleField({ role = '', ...field }: Props) {
  const { t } = useTranslation()
  return (
    <SelectField
      {...field}
      label={t('operator.staff.role')}
      description={t('operator.staff.roleHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      defaultValue={pickListed(STAFF_ROLES, role, STAFF_ROLES[0])}
      data={STAFF_ROLES.map((value) => ({ value, label: t(`operator.roles.${value}`) }))}
    />
  )
}
