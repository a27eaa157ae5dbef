import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#web/lib/api-error.ts'
import { client } from '#web/lib/client.ts'
import { allLinksQuery, LINKS, type OwnedLink } from '#web/lib/links/queries.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Asks first: whoever holds the link loses sight of the tracker. One that is gone already is as good as deleted. */
export function DeleteLink({ link: { uuid, label }, onClose }: { link: OwnedLink; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = async () => {
    await client.links.remove({ params: { uuid } }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error
    })
    queries.setQueryData(allLinksQuery().queryKey, (links) => links?.filter((link) => link.uuid !== uuid))
    await queries.invalidateQueries({ queryKey: LINKS })
  }
  return (
    <ConfirmDialog
      title={t('publicLinks.deleteTitle', { name: label })}
      action={t('action.delete')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    >
      {t('publicLinks.deleteLead')}
    </ConfirmDialog>
  )
}
