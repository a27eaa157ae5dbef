import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { createFormats, regionalTag } from './format.ts'
import { useUnits } from './units.ts'

export const useFormats = () => {
  const { i18n } = useTranslation()
  const units = useUnits()
  return useMemo(() => createFormats(regionalTag(i18n.language, navigator.languages), units), [i18n.language, units])
}
