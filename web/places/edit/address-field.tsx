import { useDebouncedValue } from '@mantine/hooks'
import { IconMapPin } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { type ComponentProps, type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ADDRESS_SEARCH, addresses, type FoundAddress } from '#contracts/addresses.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import classes from './address-field.module.css'

export const addressesApi = createClient(addresses, clientPorts)

/** Suggestions for a text from three letters on; a failure shows none. */
const suggestionsQuery = (text: string) =>
  queryOptions({
    queryKey: ['addresses', text],
    queryFn: ({ signal }) => addressesApi.search({ query: { q: text } }, { signal, staysOnNoAnswer: true }).catch(() => []),
    enabled: text.length >= ADDRESS_SEARCH.minLength,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
  })

/** Milliseconds after the last letter until suggestions are requested. */
const PAUSE_MS = 250

type Props = Omit<ComponentProps<typeof TextField>, 'onChange' | 'value'> & {
  value: string
  onType: (text: string) => void
  onChoose: (found: FoundAddress) => void
}

/** A combobox with suggestions, if the backend finds addresses. */
export function AddressField({ value, onType, onChoose, ...props }: Props) {
  const { t } = useTranslation()
  const list = useId()
  const hasSuggestions = useFeature('addresses')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [settled] = useDebouncedValue(value.trim(), PAUSE_MS)
  const isAsked = hasSuggestions && isOpen && value.trim().length >= ADDRESS_SEARCH.minLength
  const found = useQuery({ ...suggestionsQuery(settled), ...(!isAsked && { enabled: false }) }).data ?? []
  const shown = isAsked ? found.filter(({ label }, index) => found.findIndex((other) => other.label === label) === index) : []
  const choose = (suggestion: FoundAddress) => {
    setOpen(false)
    onChoose(suggestion)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (shown.length === 0) return
    if (step) setActive((active + step + shown.length + (active < 0 && step < 0 ? 1 : 0)) % shown.length)
    else if (event.key === 'Enter' && shown[active]) choose(shown[active])
    else if (event.key === 'Escape') setOpen(false)
    else return
    event.preventDefault()
  }
  return (
    <div className={classes.field}>
      <TextField
        {...props}
        value={value}
        maxLength={TEXT_LENGTH.address}
        autoComplete="off"
        onChange={({ target }) => {
          onType(target.value)
          setOpen(true)
          setActive(-1)
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        {...(hasSuggestions && {
          role: 'combobox',
          'aria-autocomplete': 'list' as const,
          'aria-expanded': shown.length > 0,
          'aria-controls': list,
          'aria-activedescendant': shown[active] ? `${list}-${active}` : undefined,
        })}
      />
      {shown.length > 0 && (
        <div id={list} role="listbox" aria-label={t('places.suggestions')} className={classes.list}>
          {shown.map((suggestion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field chooses by keys
            <div
              key={suggestion.label}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              // The field keeps the focus, so that its blur does not close the list before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(suggestion)}
            >
              <IconMapPin size={18} aria-hidden="true" />
              {suggestion.label}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
