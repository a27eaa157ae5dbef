import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { createFormats, regionalTag, useUnits } from './format.ts'

export const useFormats = () => {
  const { i18n } = useTranslation()
  const units = useUnits()
  return useMemo(() => createFormats(regionalTag(i18n.language, navigator.languages), units), [i18n.language, units])
}
