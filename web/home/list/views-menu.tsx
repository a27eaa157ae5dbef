import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { userNameQuery } from '#web/lib/api/user-name.ts'
import { storage, tryOrNull } from '#web/lib/storage.ts'
import { EMPTY_VIEW, readView, writeView } from './list-view.ts'
import { Pop } from './pop.tsx'
import type { Browse } from './use-browse.ts'
import classes from './views-menu.module.css'

type SavedView = { name: string; view: string }

/** Views that a person has named, and two that everybody has. */
export function ViewsMenu({ browse, isIcon = false }: { browse: Browse; isIcon?: boolean }) {
  const { t } = useTranslation()
  return (
    <Pop label={t('list.views.label')} icon={<IconBookmark size={16} />} isIcon={isIcon}>
      <ViewList browse={browse} />
    </Pop>
  )
}

function ViewList({ browse: { view, change } }: { browse: Browse }) {
  const { t } = useTranslation()
  const { views, save } = useSavedViews()
  const now = writeView(view).toString()
  const open = (next: string) => change({ ...EMPTY_VIEW, ...readView(new URLSearchParams(next)) })
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = String(new FormData(form).get('name')).trim()
    if (!name) return
    save([...views.filter((one) => one.name !== name), { name, view: now }])
    form.reset()
  }
  const ready = [
    { name: t('home.allTrackers'), view: '' },
    { name: t('trackers.endsThisMonth'), view: 'ends=month&sort=ends' },
  ]
  return (
    <>
      <ul className={classes.views}>
        {ready.map(({ name, view: to }) => (
          <li key={name}>
            <button type="button" aria-pressed={now === to} onClick={() => open(to)}>
              {name}
            </button>
          </li>
        ))}
        {views.map(({ name, view: to }) => (
          <li key={`own ${name}`}>
            <button type="button" aria-pressed={now === to} onClick={() => open(to)}>
              {name}
            </button>
            <button
              type="button"
              className={classes.remove}
              aria-label={`${t('action.delete')}: ${name}`}
              onClick={() => save(views.filter((one) => one.name !== name))}
            >
              <IconTrash size={16} />
            </button>
          </li>
        ))}
      </ul>
      <form className={classes.save} onSubmit={add}>
        <input name="name" aria-label={t('list.views.name')} placeholder={t('list.views.name')} maxLength={60} autoComplete="off" />
        <button type="submit">{t('action.save')}</button>
      </form>
    </>
  )
}

/** The named views of the signed-in account, which stay in this browser. */
function useSavedViews() {
  const account = useQuery(userNameQuery()).data?.username
  const [stored, setStored] = useState(readStored)
  return {
    views: (account && stored[account]) || [],
    save(views: readonly SavedView[]) {
      if (!account) return
      const next = { ...readStored(), [account]: [...views] }
      setStored(next)
      storage.set('savedViews', JSON.stringify(next))
    },
  }
}

/** The views by account. What another release has stored may look different. */
function readStored(): Record<string, SavedView[]> {
  const stored: unknown = tryOrNull(() => JSON.parse(storage.get('savedViews') ?? '{}'))
  if (typeof stored !== 'object' || stored === null) return {}
  const isView = (one: unknown): one is SavedView =>
    typeof one === 'object' &&
    one !== null &&
    'name' in one &&
    'view' in one &&
    typeof one.name === 'string' &&
    typeof one.view === 'string'
  return Object.fromEntries(Object.entries(stored).map(([account, views]) => [account, Array.isArray(views) ? views.filter(isView) : []]))
}
