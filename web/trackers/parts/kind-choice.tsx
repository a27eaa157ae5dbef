import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { pickListed, withUnlisted } from '#contracts/lib/unknown-values.ts'
import { KINDS, type Kind } from '#contracts/rules/tracking/tracker.ts'
import { ChoiceCards } from '#web/ui/form/choices.tsx'
import { KindDisc } from './kind-icon.tsx'

type Props = {
  legend: string
  name: string
  error?: string | undefined
  'aria-invalid'?: boolean
  defaultValue?: Kind
  disabled?: boolean
}

export function KindChoice(props: Props) {
  const { t } = useTranslation()
  const choices = withUnlisted(KINDS, props.defaultValue).map((kind) => ({
    value: kind,
    label: formatKind(t, kind),
    icon: <KindDisc of={{ kind }} size={36} />,
  }))
  return <ChoiceCards {...props} required isGrid choices={choices} />
}

const formatKind = (t: TFunction, kind: string) => {
  const known = pickListed(KINDS, kind, null)
  return known ? t(`kinds.${known}`) : `${t('kinds.other')} (${kind})`
}
