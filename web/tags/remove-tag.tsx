import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Tag } from '#contracts/tags.ts'
import { orGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { tagsApi, tagsQuery } from './tags.queries.ts'

/** Confirms the deletion; its trackers stay and lose the tag. */
export function DeleteTagDialog({ tag: { id, name }, count, onClose }: { tag: Tag; count: number; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = async () => {
    await tagsApi.remove({ params: { id } }).catch(orGone)
    queries.setQueryData(tagsQuery().queryKey, (all) => all?.filter((tag) => tag.id !== id))
    void queries.invalidateQueries({ queryKey: devicesQuery().queryKey })
    showToast(t('tags.deleted'))
  }
  return (
    <ConfirmDialog isDanger title={t('tags.deleteHeading', { name })} action={t('action.delete')} onConfirm={remove} onClose={onClose}>
      <p>{count > 0 ? t('tags.deleteLead', { count }) : t('tags.unused')}</p>
    </ConfirmDialog>
  )
}
