import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { createFormats, regionalTag } from './format.ts'

/** Formats for the current language, in the browser's region. */
export const useFormats = () => {
  const { i18n } = useTranslation()
  return useMemo(() => createFormats(regionalTag(i18n.language, navigator.languages)), [i18n.language])
}
