import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { createFormats, regionalTag, useUnits } from './format.ts'

/** The portal's language with the region of the browser, such as `en-GB`. */
export const useLocale = () => regionalTag(useTranslation().i18n.language, navigator.languages)

export const useFormats = () => {
  const locale = useLocale()
  const units = useUnits()
  return useMemo(() => createFormats(locale, units), [locale, units])
}
