import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { createFormats, regionalTag } from './format.ts'

export const useFormats = () => {
  const { i18n } = useTranslation()
  return useMemo(() => createFormats(regionalTag(i18n.language, navigator.languages)), [i18n.language])
}
