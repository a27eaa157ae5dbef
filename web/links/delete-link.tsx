import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { PublicLink } from '#contracts/links.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { linkKeys, linksApi, refreshLinks } from './links.queries.ts'

export function DeleteLinkDialog({ link: { uuid, label, devices }, onClose }: { link: PublicLink; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = async () => {
    await linksApi.remove({ params: { uuid } }).catch(ignoreGone)
    const lists = queries.getQueriesData<PublicLink[]>({ queryKey: linkKeys.all })
    const stale = lists.flatMap(([[, of], links]) => (links?.some((link) => link.uuid === uuid) ? of : []))
    queries.setQueriesData<PublicLink[]>({ queryKey: linkKeys.all }, (links) => links?.filter((link) => link.uuid !== uuid))
    showToast(t('publicLinks.deleted'))
    await refreshLinks(queries, stale)
  }
  return (
    <ConfirmDialog
      title={t('publicLinks.deleteTitle', { name: label })}
      action={t('action.delete')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    >
      {devices ? t('publicLinks.deleteLeadSeveral', { names: devices.map(({ name }) => name).join(', ') }) : t('publicLinks.deleteLead')}
    </ConfirmDialog>
  )
}
