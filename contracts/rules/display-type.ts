import type { DeviceType } from '#contracts/lib/constants.ts'

export type DisplayType = DeviceType | 'sct2' | 'lwt2'

/** Whether this is a board of the configurable low-power tracker, the only one with mode 50. */
export const isSct2Board = (boardName: string | null | undefined) => boardName?.startsWith('SCT2') ?? false

/** Returns the type to display: boards named LWT2… or SCT2… (case-sensitive) override the type of the tracker. */
export const displayType = (device: { type: DeviceType; tracker_config?: { board_name?: string | null } | null }): DisplayType => {
  const boardName = device.tracker_config?.board_name
  if (isSct2Board(boardName)) return 'sct2'
  return boardName?.startsWith('LWT2') ? 'lwt2' : device.type
}
