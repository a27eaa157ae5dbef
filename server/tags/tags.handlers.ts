import { tagKey } from '#contracts/rules/reading/text.ts'
import { byName } from '#contracts/rules/text.ts'
import { type tags as contract, TAG_COLORS, type Tag } from '#contracts/tags.ts'
import { touch, writeDevices } from '#db/device-changes.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { requireRoom } from '#server/lib/limits/account-limit.ts'
import {
  countTags,
  findVisibleTag,
  insertTag,
  listTaggedDevices,
  listVisibleTags,
  removeTag,
  type TagRow,
  updateTag,
} from './tags.store.ts'

export const tags: Handlers<typeof contract> = {
  async list(_, { db, viewer }) {
    return (await listVisibleTags(db.read, viewer)).sort(byName).map(presentTag)
  },

  async create({ body: { name, color } }, { db, viewer }) {
    const added = await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      requireRoom('tags', await countTags(tx, viewer.accountId))
      const chosen = color ?? chooseColor(await listVisibleTags(tx, viewer))
      return insertTag(tx, { accountId: viewer.accountId, name, key: tagKey(name), color: chosen })
    })
    if (!added) throw new Failure('tag_exists')
    return presentTag(added)
  },

  async update({ params, body }, { db, viewer }) {
    const changed = await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const known = await findVisibleTag(tx, viewer, params.id)
      if (!known) throw new Failure('not_found')
      const tag = { ...known, ...body }
      if (!(await updateTag(tx, { ...tag, key: tagKey(tag.name) }))) throw new Failure('tag_exists')
      for (const device of await listTaggedDevices(tx, tag.id)) touch(tx, device)
      return tag
    })
    return presentTag(changed)
  },

  async remove({ params: { id } }, { db, viewer }) {
    await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      if (!(await findVisibleTag(tx, viewer, id))) throw new Failure('not_found')
      for (const device of await listTaggedDevices(tx, id)) touch(tx, device)
      await removeTag(tx, id)
    })
    return { id }
  },
}

/** Returns the first unused colour of the palette, or starts over when all are used. */
function chooseColor(known: TagRow[]): string {
  const used = new Set(known.map(({ color }) => color))
  return TAG_COLORS.find((color) => !used.has(color)) ?? TAG_COLORS[known.length % TAG_COLORS.length] ?? TAG_COLORS[0]
}

const presentTag = ({ id, name, color }: TagRow): Tag => ({ id, name, color })
