import { useTranslation } from 'react-i18next'
import { KINDS, type Kind } from '#contracts/lib/constants.ts'
import { ChoiceCards } from '#web/ui/form/choice-cards.tsx'
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
  const choices = KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`), icon: <KindDisc kind={kind} size={36} /> }))
  return <ChoiceCards {...props} required isGrid choices={choices} />
}
