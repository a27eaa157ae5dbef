import { type Column, type SQL, sql } from 'drizzle-orm'
import { linkDevices, publicLinks } from '#db/schema/sharing.ts'

/** The condition that public links show a tracker, alone or among others. */
export const showsDevice = (device: number | Column): SQL =>
  sql`(${publicLinks.deviceId} = ${device} or ${publicLinks.uuid} in
    (select ${linkDevices.linkUuid} from ${linkDevices} where ${linkDevices.deviceId} = ${device}))`
