import type { TFunction } from 'i18next'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAIN_SECTIONS } from '#web/layouts/navigation/sections.tsx'
import { singleKeys } from '#web/lib/navigation/shortcuts.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import classes from './shortcut-list.module.css'

type Row = { label: string; keys: readonly string[]; between?: 'then' | 'or' }
export type KeyGroup = { title: string; rows: readonly Row[] }

const isMac = /Mac|iP(hone|ad)/.test(navigator.platform)

type Props = {
  /** Other keys than those of the portal. */
  listGroups?: (t: TFunction) => readonly KeyGroup[]
  onClose: () => void
}

export default function ShortcutList({ listGroups, onClose }: Props) {
  const { t } = useTranslation()
  const [areOn, setOn] = useState(singleKeys.areOn)
  const has = useFeatures()
  const turn = (on: boolean) => {
    singleKeys.turn(on)
    setOn(on)
  }
  const groups = listGroups ? listGroups(t) : listPortalGroups(t, has)
  return (
    <Dialog title={t('nav.shortcuts')} onClose={onClose}>
      {groups.map((group) => (
        <Group key={group.title} {...group} />
      ))}
      <CheckboxField
        checked={areOn}
        {...(!listGroups && { hint: t('shortcuts.singleHint') })}
        onChange={({ target }) => turn(target.checked)}
      >
        {t('shortcuts.single')}
      </CheckboxField>
    </Dialog>
  )
}

function listPortalGroups(t: TFunction, has: ReturnType<typeof useFeatures>): KeyGroup[] {
  const sections = MAIN_SECTIONS.filter(({ feature }) => has(feature))
  return [
    {
      title: t('shortcuts.everywhere'),
      rows: [
        { label: t('shortcuts.palette'), keys: isMac ? ['⌘', 'K'] : ['Ctrl', 'K'] },
        { label: t('shortcuts.search'), keys: ['/'] },
        { label: t('shortcuts.list'), keys: ['?'] },
        { label: t('shortcuts.close'), keys: ['Esc'] },
      ],
    },
    {
      title: t('shortcuts.goTo'),
      rows: sections.map(({ word, letter = '' }) => ({ label: t(word), keys: ['G', letter.toUpperCase()], between: 'then' })),
    },
    {
      title: t('shortcuts.trackers'),
      rows: [
        { label: t('shortcuts.move'), keys: ['J', 'K'], between: 'or' },
        { label: t('shortcuts.tick'), keys: ['X'] },
        { label: t('shortcuts.open'), keys: ['Enter'] },
        { label: t('tracker.boost'), keys: ['B'] },
        { label: t('tracker.lost'), keys: ['L'] },
        { label: t('tracker.share'), keys: ['S'] },
      ],
    },
    {
      title: t('shortcuts.history'),
      rows: [
        { label: t('shortcuts.play'), keys: [t('shortcuts.space')] },
        { label: t('shortcuts.step'), keys: ['←', '→'], between: 'or' },
      ],
    },
  ]
}

function Group({ title, rows }: KeyGroup) {
  const { t } = useTranslation()
  return (
    <section className={classes.group}>
      <h3>{title}</h3>
      <dl>
        {rows.map(({ label, keys, between }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && between && <small>{t(`shortcuts.${between}`)}</small>}
                  <kbd>{key}</kbd>
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
