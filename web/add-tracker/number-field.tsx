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

export type NumberKind = 'identifier' | 'serial'

type Props = {
  by: NumberKind
  onBy: (by: NumberKind) => void
  field: (name: NumberKind) => { name: string; error: string | undefined; 'aria-invalid': boolean }
  defaultValue: string
}

const insertDash = ({ currentTarget: input }: FormEvent<HTMLInputElement>) => {
  const isAtEnd = input.selectionStart === input.value.length
  if (isAtEnd) input.value = formatTypedIdentifier(input.value)
}

/** Asks for the ID or the S/N of the tracker; either identifies it. */
export function NumberField({ by, onBy, field, defaultValue }: Props) {
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
        ]}
      />
      {by === 'identifier' ? (
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
      ) : (
        <TextField key="serial" {...field('serial')} {...look} label={t('tracker.serial')} description={t('add.serialHint')} />
      )}
    </>
  )
}
