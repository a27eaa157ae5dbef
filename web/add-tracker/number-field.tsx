import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { formatIdentifier, normalizeCode } from '#contracts/rules/reading/text.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'

/**
 * Inserts the dash while an identifier is typed or pasted. Text that cannot be an identifier is returned unchanged, so that validation
 * rejects it.
 */
export const formatTypedIdentifier = (text: string) => {
  const digits = normalizeCode(text)
  if (!/^\d{8,}$/.test(digits)) return text
  return digits.length > 8 ? formatIdentifier(digits) : digits
}

/** How a tracker is added: by one of its numbers, or as a phone, which has none. */
export type AddedBy = 'identifier' | 'serial' | 'phone'

type Props = {
  by: AddedBy
  onBy: (by: AddedBy) => void
  hasPhones: boolean
  field: (name: 'identifier' | 'serial') => { name: string; error: string | undefined; 'aria-invalid': boolean }
  defaultValue: string
}

const insertDash = ({ currentTarget: input }: FormEvent<HTMLInputElement>) => {
  const isAtEnd = input.selectionStart === input.value.length
  if (isAtEnd) input.value = formatTypedIdentifier(input.value)
}

/** Asks for the ID or the S/N of the tracker, of which either identifies it; a phone has neither. */
export function NumberField({ by, onBy, hasPhones, field, defaultValue }: Props) {
  const { t } = useTranslation()
  const look = { required: true, autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false } as const
  return (
    <>
      <SegmentedControl
        label={t('add.by')}
        value={by}
        onChange={onBy}
        options={[
          { value: 'identifier', label: t('tracker.identifier') },
          { value: 'serial', label: t('tracker.serial') },
          ...(hasPhones ? [{ value: 'phone' as const, label: t('add.phone') }] : []),
        ]}
      />
      {by === 'phone' && <p>{t('add.phoneHint')}</p>}
      {by === 'identifier' && (
        <TextField
          key="identifier"
          {...field('identifier')}
          {...look}
          inputMode="numeric"
          label={t('tracker.identifier')}
          description={t('add.identifierHint')}
          placeholder="12345678-90"
          defaultValue={defaultValue}
          onInput={insertDash}
        />
      )}
      {by === 'serial' && (
        <TextField key="serial" {...field('serial')} {...look} label={t('tracker.serial')} description={t('add.serialHint')} />
      )}
    </>
  )
}
