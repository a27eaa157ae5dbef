import { useMutation, useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import type * as z from 'zod/mini'
import type { Settings, SettingsChange } from '#contracts/users.ts'
import { changeLanguage, language } from '#web/lib/i18n/i18n.ts'
import { showToast } from '#web/lib/toasts.ts'
import { calls } from '#web/signed-in/account.calls.ts'
import { settingsQuery } from '#web/signed-in/account.queries.ts'

export type Change = z.input<typeof SettingsChange>

const MUTATION = ['saveSettings']

/** Saves one setting optimistically. The toast offers to restore `before`; a refused change is rolled back. */
export function useSave() {
  const queries = useQueryClient()
  const { queryKey } = settingsQuery()
  const save = useMutation({
    mutationKey: MUTATION,
    scope: { id: 'settings' },
    mutationFn: (change: Change) => calls.changeSettings({ body: change }),
    onMutate: async (change) => {
      const spoken = language()
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData(queryKey)
      queries.setQueryData(queryKey, (known) => known && { ...known, ...(change as Partial<Settings>) })
      if (change.language) await changeLanguage(change.language)
      return { before, spoken }
    },
    onError: (_error, change, was) => {
      queries.setQueryData(queryKey, was?.before)
      if (change.language && was) void changeLanguage(was.spoken)
    },
    onSettled: async () => {
      if (queries.isMutating({ mutationKey: MUTATION }) > 1) return
      await Promise.all([queryKey, ['me']].map((each) => queries.invalidateQueries({ queryKey: each })))
    },
  })
  const set = (change: Change, before: Change) =>
    save.mutate(change, { onSuccess: () => showToast(i18next.t('form.saved'), () => save.mutate(before)) })
  return { set, hasFailed: save.isError }
}
